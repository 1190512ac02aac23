"""The words of every page in Spanish, by what they are in English; those of descriptions are with them."""

from __future__ import annotations

SPANISH = {
    # The frame
    "About this host": "Acerca de este servidor",
    "Skip to the content": "Ir al contenido",
    "Pages": "Páginas",
    "Previous page": "Página anterior",
    "Next page": "Página siguiente",
    "Reserved": "Reservado",
    "Valid": "Válido",
    "Superseded": "Sustituido",
    "Retired": "Retirado",
    "{it}": "{it}",
    "{identifier}": "{identifier}",
    "{media_type}": "{media_type}",
    # Advice
    "This cannot be an identifier": "Esto no puede ser un identificador",
    "{text} is no identifier: {value} at character {position}: {reason}": (
        "{text} no es un identificador: {value}, en el carácter {position}: {reason}"
    ),
    "{text} is no identifier: segment {segment}, {value} at character {position}: {reason}": (
        "{text} no es un identificador: segmento {segment}, {value}, en el carácter {position}: {reason}"
    ),
    "Nothing is known here by this name": "Aquí no se conoce nada con este nombre",
    "What is registered here": "Lo que está registrado aquí",
    "This identifier is not registered": "Este identificador no está registrado",
    "Nobody has registered {identifier}.": "Nadie ha registrado {identifier}.",
    "{identifier} is bound to the host {host}, which is not registered here.": (
        "{identifier} está ligado al servidor {host}, que no está registrado aquí."
    ),
    (
        "Nobody has registered {identifier}, as the scheme {scheme} is not registered here yet. The operator "
        "registers schemes by a file in the folder {folder}."
    ): (
        "Nadie ha registrado {identifier}, pues el esquema {scheme} aún no está registrado aquí. El operador "
        "registra esquemas con un archivo en la carpeta {folder}."
    ),
    "Perhaps this was meant: {identifier}": "Quizá se quería decir: {identifier}",
    "The nearest registered name: {title}": "El nombre registrado más cercano: {title}",
    "Ask {title}: {contact}": "Pregunte a {title}: {contact}",
    "Ask {contact}": "Pregunte a {contact}",
    "Another service may know it: {title}": "Quizá lo conozca otro servicio: {title}",
    "The namespace {namespace} is not registered. The register of namespaces": (
        "El espacio de nombres {namespace} no está registrado. El registro de espacios de nombres"
    ),
    "There is nothing of this title": "No hay nada con este título",
    (
        "Nothing under {identifier} has all words of {title} in a title. What was registered in the last "
        "day may not be found yet."
    ): (
        "Nada bajo {identifier} tiene todas las palabras de {title} en un título. Lo registrado en el "
        "último día puede no encontrarse todavía."
    ),
    "Search other names and identifiers as well": "Buscar también en otros nombres e identificadores",
    "There is no such version": "No existe tal versión",
    "{title} has no version that {identifier} would name.": (
        "{title} no tiene ninguna versión que {identifier} pudiera nombrar."
    ),
    "The moment cannot be read": "El momento no puede leerse",
    (
        "Accept-Datetime says no date. The versions of {title} are chosen by a date such as Sun, 06 Nov "
        "1994 08:49:37 GMT."
    ): (
        "Accept-Datetime no dice ninguna fecha. Las versiones de {title} se eligen por una fecha como "
        "Sun, 06 Nov 1994 08:49:37 GMT."
    ),
    "The version of {day}": "La versión de {day}",
    "The original version": "La versión original",
    "The prospective version": "La versión en preparación",
    "All versions": "Todas las versiones",
    "There are no versions": "No hay versiones",
    "No representation of {identifier} says from which day it holds.": (
        "Ninguna representación de {identifier} dice desde qué día vale."
    ),
    "This identifier is reserved": "Este identificador está reservado",
    "{identifier} is set aside; it does not name anything yet.": (
        "{identifier} está apartado; todavía no nombra nada."
    ),
    "This identifier is retired": "Este identificador está retirado",
    "{identifier} named {title}. It is no longer in use.": (
        "{identifier} nombraba: {title}. Ya no está en uso."
    ),
    "{identifier} named a form of {title}. It is no longer in use.": (
        "{identifier} nombraba una forma de: {title}. Ya no está en uso."
    ),
    "{detail} Reason: {reason}": "{detail} Motivo: {reason}",
    "Its successor: {identifier}": "Su sucesor: {identifier}",
    "What is known about it": "Lo que se sabe de ello",
    "Not in this form": "No en esta forma",
    "{identifier} cannot be had in a form that the request accepts.": (
        "{identifier} no se ofrece en ninguna forma que la petición acepte."
    ),
    "Descriptions cannot be had in a form that the request accepts.": (
        "Las descripciones no se ofrecen en ninguna forma que la petición acepte."
    ),
    "any format": "cualquier formato",
    "{words} ({media_type})": "{words} ({media_type})",
    "{what}, in {language}": "{what}, en {language}",
    "There is nothing by the name {identifier}.": "No hay nada con el nombre {identifier}.",
    "Several are meant": "Puede ser cualquiera de varios",
    "{identifier} may be any of these.": "{identifier} puede ser cualquiera de estos.",
    "The content is missing": "Falta el contenido",
    "The stored file {key} is missing. The operator of this host has been told.": (
        "Falta el archivo guardado {key}. El operador de este servidor ha sido avisado."
    ),
    "Identifiers can only be read": "Los identificadores solo pueden leerse",
    "Identifiers are read here with GET or HEAD, not {method}.": (
        "Aquí los identificadores se leen con GET o HEAD, no con {method}."
    ),
    "The registry is busy": "El registro está ocupado",
    "The registry does not answer just now. Ask again in {seconds} seconds.": (
        "El registro no responde en este momento. Pregunte de nuevo en {seconds} segundos."
    ),
    "This is another version": "Esta es otra versión",
    "The content is not the one that the request expects: ETag tells which one it is.": (
        "El contenido no es el que la petición espera: ETag dice cuál es."
    ),
    "There is no such part": "No existe tal parte",
    "Nothing of the range is in the content, which has {bytes} bytes.": (
        "Nada del intervalo está en el contenido, que tiene {bytes} bytes."
    ),
    "Nothing was asked for": "No se ha preguntado nada",
    "Ask for {path} and an identifier in any form, percent-encoded, or POST a JSON list of up to {most}.": (
        "Pida {path} y un identificador en cualquier forma, codificado con %, o envíe por POST una lista "
        "JSON de hasta {most}."
    ),
    "Ask for {path} and an identifier, as in {example}.": (
        "Pida {path} y un identificador, como en {example}."
    ),
    "This is no list of identifiers": "Esto no es una lista de identificadores",
    "The body has more than {most} bytes.": "El cuerpo tiene más de {most} bytes.",
    "The body is not JSON in UTF-8.": "El cuerpo no es JSON en UTF-8.",
    "The body is neither a list of strings nor an object with one.": (
        "El cuerpo no es una lista de textos ni un objeto que contenga una."
    ),
    "The list has {number} identifiers; at most {most} are looked up at once.": (
        "La lista tiene {number} identificadores; como máximo se buscan {most} a la vez."
    ),
    # Why something is no identifier, by the rule it breaks (`MalformedIdentifier.rule`)
    "rule NID": (
        "un espacio de nombres tiene de 2 a 32 letras, cifras y guiones, ninguno en los extremos, y no es "
        "«urn»"
    ),
    "rule NSS": "la parte propia del nombre falta o tiene un carácter que debe escribirse con %",
    "rule URI": "un URI empieza por un esquema y dos puntos; una referencia relativa necesita una base",
    "rule URIscheme": "aquí no se conoce tal esquema",
    "rule dot-segment": "«.» y «..» no son nombres",
    "rule excluded": "el octeto 0 nunca se usa (RFC 2141 §2.4)",
    "rule f-component": "el componente f no es parte del nombre; omítalo",
    "rule fragment": "un identificador no tiene fragmento; una parte de algo tiene su propio identificador",
    "rule httpURI": "solo se leen los URI http y https",
    "rule info-identifier": "un espacio de nombres termina en «/», y le sigue lo que nombra",
    "rule length": "el identificador tiene demasiados bytes",
    "rule namespace": "un espacio de nombres empieza por una letra y tiene letras, cifras, «+», «-» y «.»",
    "rule pchar": "hay un carácter que debe escribirse con %",
    "rule pct-encoded": "a «%» deben seguir dos cifras hexadecimales",
    "rule query": "un identificador no tiene consulta («?»); omítala",
    "rule r- or q-component": "los componentes r y q no son parte del nombre; omítalos",
    "rule reserved": "es una ruta del propio servicio; ahí no puede haber identificadores",
    "rule resourcePart": (
        "un esquema o una autoridad de nombres termina en «/»; un identificador suyo necesita una ruta de "
        "recurso"
    ),
    "rule safeBoundChar": "empieza y termina con una letra, una cifra, «_» o «~»",
    "rule segment-nz": "un segmento no puede estar vacío («//» no nombra nada)",
    "rule segments": "el identificador tiene demasiados segmentos",
    "rule unreserved": "hay un carácter que la gramática estricta no admite",
    "rule uriHost": "un servidor es un nombre o una dirección, y quizá un puerto",
    # Explanations: what an outcome means, and the steps to it
    "What a request for {identifier} gets": "Qué obtiene una petición de {identifier}",
    "The identifier was read": "Se leyó el identificador",
    "The registry was asked": "Se preguntó al registro",
    "The host was looked at": "Se miró el servidor",
    "The preferences were read": "Se leyeron las preferencias",
    "It was decided": "Se decidió",
    "It cannot be an identifier.": "No puede ser un identificador.",
    "It is an identifier in another writing than its normal form.": (
        "Es un identificador escrito de otro modo que en su forma normal."
    ),
    "Another host answers for it.": "Otro servidor responde por él.",
    "It was in use, and is no more.": "Estuvo en uso y ya no lo está.",
    "It is set aside; it names nothing yet.": "Está apartado; todavía no nombra nada.",
    "It has no form of its own to give; its description tells.": (
        "No tiene ninguna forma propia que entregar; lo cuenta su descripción."
    ),
    "One of its forms stands at another address.": "Una de sus formas está en otra dirección.",
    "A stored file is given as the answer.": "Se entrega como respuesta un archivo guardado.",
    "It has versions, or is one: `ginuri.resolution.versions` knows which is meant.": (
        "Tiene versiones, o es una de ellas."
    ),
    "The version that is meant has a name of its own, or the document has that leads to it.": (
        "La versión que se busca tiene un nombre propio, o lo tiene el documento que lleva a ella."
    ),
    "None of its versions is the one that is asked for.": "Ninguna de sus versiones es la que se pide.",
    "The moment that the client asks for is no date.": "El momento que pide el cliente no es una fecha.",
    "None of its forms is one the client can take.": "Ninguna de sus formas es una que el cliente acepte.",
    "The stored file is not where the record says: an operator hears of it.": (
        "El archivo guardado no está donde dice el registro: un operador es avisado."
    ),
    "It is another name for something.": "Es otro nombre de algo.",
    "It is registered in another writing, and in no more than one.": (
        "Está registrado en otra escritura, y en una sola."
    ),
    "It may be any of several.": "Puede ser cualquiera de varios.",
    "Nothing under the authority, or the type, has the title that is asked for.": (
        "Nada bajo la autoridad o el tipo tiene el título que se pide."
    ),
    "A rule says that there is nothing by this name.": "Una regla dice que no hay nada con este nombre.",
    "Nobody registered it; what is known around it is the advice.": (
        "Nadie lo registró; se aconseja con lo que se conoce a su alrededor."
    ),
    "It begins with no scheme that is known here.": "No empieza por ningún esquema que se conozca aquí.",
    "Identifiers are read, never written, over HTTP.": (
        "Por HTTP los identificadores se leen, nunca se escriben."
    ),
    "The client asks what may be asked.": "El cliente pregunta qué se puede preguntar.",
    "The registry is throttled or away.": "El registro está saturado o no responde.",
    # Searching
    "Search": "Buscar",
    "Search: {it}": "Buscar: {it}",
    "Titles, other names and identifiers": "Títulos, otros nombres e identificadores",
    "Only under {it}.": "Solo bajo {it}.",
    "Only of the type {it}.": "Solo del tipo {it}.",
    "Only with the status {it}.": "Solo con el estado {it}.",
    "Nothing was found: every word has to be in a title, another name or the identifier.": (
        "No se encontró nada: cada palabra tiene que estar en un título, en otro nombre o en el "
        "identificador."
    ),
    "{number} found, with all words in the title first.": (
        "Encontrados: {number}; primero los que tienen todas las palabras en el título."
    ),
    "More than {number} found, with all words in the title first.": (
        "Encontrados: más de {number}; primero los que tienen todas las palabras en el título."
    ),
    "As of": "A fecha de",
    "Too many words begin as the last one does: only the word itself was looked for.": (
        "Demasiadas palabras empiezan como la última: solo se buscó la palabra misma."
    ),
    "This cannot be searched for": "Esto no puede buscarse",
    "Nothing can be searched yet": "Todavía no se puede buscar nada",
    "What can be searched is written once a day, for the first time within a day of the start.": (
        "Lo que se puede buscar se escribe una vez al día, la primera vez dentro del primer día."
    ),
    "q has {number} characters; at most {most} can be searched for.": (
        "q tiene {number} caracteres; como máximo se pueden buscar {most}."
    ),
    "status={status} is none of {known}.": "status={status} no es ninguno de {known}.",
    "type={type} is neither the identifier of a resource type, as uri-gin/azgs/doc/, nor one of {known}.": (
        "type={type} no es el identificador de un tipo de recurso, como uri-gin/azgs/doc/, ni uno de {known}."
    ),
    "type={type} is no resource type of authority={authority}.": (
        "type={type} no es un tipo de recurso de authority={authority}."
    ),
    "{name}={value} is no number from 1 to {most}.": "{name}={value} no es un número de 1 a {most}.",
    # What is published
    "The whole registry": "El registro completo",
    "{records} identifiers in {lines} lines, as they stood on {day}.": (
        "{records} identificadores en {lines} líneas, tal como estaban el {day}."
    ),
    "Each line is a registration, as docs/registrations.md has them: uploaded, it says the same.": (
        "Cada línea es una inscripción, como las describe docs/registrations.md: subida de nuevo, dice lo "
        "mismo."
    ),
    "JSON lines, packed with gzip, {bytes} bytes": "líneas JSON, comprimidas con gzip, {bytes} bytes",
    "what was registered lately (Atom)": "lo registrado últimamente (Atom)",
    "every identifier, for search engines": "todos los identificadores, para buscadores",
    "There is no such sitemap": "No existe tal mapa del sitio",
    "Nothing is published as {name}: sitemaps are numbered anew each time.": (
        "No hay nada publicado como {name}: los mapas del sitio se numeran de nuevo cada vez."
    ),
    "The sitemaps that there are": "Los mapas del sitio que hay",
    "Nothing is published yet": "Todavía no hay nada publicado",
    "It is written once a day, for the first time within a day of the service's start.": (
        "Se escribe una vez al día, la primera vez dentro del primer día del servicio."
    ),
    # Languages and formats
    "Arabic": "árabe",
    "Chinese": "chino",
    "Dutch": "neerlandés",
    "English": "inglés",
    "French": "francés",
    "German": "alemán",
    "Italian": "italiano",
    "Japanese": "japonés",
    "Portuguese": "portugués",
    "Russian": "ruso",
    "Spanish": "español",
    "Excel spreadsheet": "Hoja de cálculo de Excel",
    "JPEG image": "Imagen JPEG",
    "Linkset as text": "Linkset como texto",
    "PNG image": "Imagen PNG",
    "Plain text": "Texto simple",
    "SVG drawing": "Dibujo SVG",
    "TIFF image": "Imagen TIFF",
    "Web page": "Página web",
    "Word document": "Documento de Word",
    "ZIP archive": "Archivo ZIP",
}
MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
)
