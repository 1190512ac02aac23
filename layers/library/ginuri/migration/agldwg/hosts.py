"""The host of AGLDWG's persistent identifiers."""

HOST = "linked.data.gov.au"
