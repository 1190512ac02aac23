"""The API gateway: routes, proxy events, answers, and the list of reports; read `front_door` first."""
