"""The pages' own words in Spanish, by what they are in English; a test holds it to the templates."""

from __future__ import annotations

from ginuri.web.pages.spanish import SPANISH as OF_ALL_PAGES

SPANISH = {
    **OF_ALL_PAGES,
    # The frame
    "This host": "Este servidor",
    "Persistent identifiers": "Identificadores persistentes",
    "What stands above": "Lo que está por encima",
    "This page describes {it} and is itself another resource.": (
        "Esta página describe {it} y es ella misma otro recurso."
    ),
    "The same description as": "La misma descripción como",
    "The same list as": "La misma lista como",
    "List: {title}": "Lista: {title}",
    "{title}: list": "{title}: lista",
    "First page": "Primera página",
    "Nothing is listed here.": "Aquí no hay nada en la lista.",
    # What is named
    "This names a host: a machine that answers identifiers, and is no part of any.": (
        "Esto nombra un servidor: una máquina que responde a identificadores y no forma parte de ninguno."
    ),
    "This names a scheme: what all identifiers that begin with it have in common.": (
        "Esto nombra un esquema: lo que tienen en común todos los identificadores que empiezan por él."
    ),
    "This names a name authority: who says what the identifiers under it mean.": (
        "Esto nombra una autoridad de nombres: dice qué significan los identificadores que dependen de ella."
    ),
    "This names a namespace: identifiers of one kind, which an organization gives out.": (
        "Esto nombra un espacio de nombres: identificadores de una clase, que da una organización."
    ),
    "This is another name for something.": "Esto es otro nombre de algo.",
    "This names nothing by itself: there are rules for what stands under it.": (
        "Esto no nombra nada por sí mismo: hay reglas para lo que depende de ello."
    ),
    "This names nothing by itself: another host answers for what stands under it.": (
        "Esto no nombra nada por sí mismo: otro servidor responde por lo que depende de ello."
    ),
    "This names a type of resource: what the identifiers under it have in common.": (
        "Esto nombra un tipo de recurso: lo que tienen en común los identificadores que dependen de él."
    ),
    "This names a thing, not a file.": "Esto nombra una cosa, no un archivo.",
    "This names a thing ({noun}), not a file.": "Esto nombra una cosa ({noun}), no un archivo.",
    "This names a document, whatever format it is given in.": (
        "Esto nombra un documento, sea cual sea el formato en que se entregue."
    ),
    "This names a file: one form of something, in one format.": (
        "Esto nombra un archivo: una forma de algo, en un formato."
    ),
    # Where it stands in its life
    "This identifier is set aside. It does not name anything yet.": (
        "Este identificador está apartado. Todavía no nombra nada."
    ),
    "It still answers, but something else has taken its place.": (
        "Todavía responde, pero otra cosa ha ocupado su lugar."
    ),
    "It was in use, and is no more. It will never be given to anything else.": (
        "Estuvo en uso y ya no lo está. Nunca se dará a otra cosa."
    ),
    "Use instead: {it}": "Use en su lugar: {it}",
    "Reason: {it}": "Motivo: {it}",
    "Last changed": "Último cambio",
    "First registered": "Primer registro",
    "Changed": "Cambio",
    "History": "Historia",
    # The identifier
    "The identifier and its parts": "El identificador y sus partes",
    "The host is a part of the identifier: no other answers for it.": (
        "El servidor forma parte del identificador: ningún otro responde por él."
    ),
    "The host is no part of the identifier: any other may answer for it.": (
        "El servidor no forma parte del identificador: cualquier otro puede responder por él."
    ),
    "Its address": "Su dirección",
    "host": "servidor",
    "scheme": "esquema",
    "name authority": "autoridad de nombres",
    "namespace": "espacio de nombres",
    "name": "nombre",
    "resource path": "ruta del recurso",
    "path": "ruta",
    "resource-specific string": "cadena propia del recurso",
    "representation part": "parte de representación",
    "QR code of the identifier": "Código QR del identificador",
    "For the phone and for paper": "Para el teléfono y para el papel",
    # What can be had
    "Its forms are listed below.": "Sus formas se enumeran más abajo.",
    "Nothing but this description can be had of it here.": "Aquí no se ofrece más que esta descripción.",
    "What can be had of it": "Lo que se ofrece",
    "The forms it can be had in, and where each leads": "Las formas que se ofrecen y adónde lleva cada una",
    "Form": "Forma",
    "Holds from": "Vale desde",
    "Language": "Idioma",
    "Size": "Tamaño",
    "Leads to": "Lleva a",
    "Whatever is there": "Lo que haya allí",
    "canonical": "canónica",
    "default": "por defecto",
    "profile {it}": "perfil {it}",
    "any day": "cualquier día",
    "kept here": "guardado aquí",
    "in {language}": "en {language}",
    "Its versions": "Sus versiones",
    "prospective": "en preparación",
    "The same as a time map (RFC 7089)": "Lo mismo como mapa temporal (RFC 7089)",
    # Where it belongs
    "Where it belongs": "A qué pertenece",
    "Type": "Tipo",
    "Part of": "Parte de",
    "Scheme": "Esquema",
    "Name authority": "Autoridad de nombres",
    "Namespace": "Espacio de nombres",
    "Answered by": "Responde",
    "Registered by": "Registra",
    "Registered by (from {day})": "Registra (desde {day})",
    "Report a problem": "Comunicar un problema",
    "Problem with {uri}": "Problema con {uri}",
    "Other names": "Otros nombres",
    "More about it": "Más información",
    "Links": "Enlaces",
    "Described by": "Descrito por",
    "Above it": "Por encima",
    "How to cite it": "Cómo citarlo",
    "What it stands for": "A qué equivale",
    # Hosts, schemes, authorities, types
    "Who is behind it": "Quién responde de ello",
    "Home page": "Página principal",
    "Contact": "Contacto",
    "Rules for what stands under it": "Reglas para lo que está debajo",
    "Maintained by": "Mantenido por",
    "Kept by": "A cargo de",
    "not registered": "no registrado",
    "Not registered.": "No registrado.",
    "Other hosts": "Otros servidores",
    "Schemes known here": "Esquemas que se conocen aquí",
    "Put a name after this address to follow it, or {about} before it to read what is known about it.": (
        "Ponga un nombre tras esta dirección para seguirlo, o {about} delante para leer qué se sabe de él."
    ),
    "Purpose and scope": "Finalidad y alcance",
    "Specification": "Especificación",
    "What is normative: {it}": "Lo normativo: {it}",
    "Hosts that are trusted to answer": "Servidores de confianza",
    "Hosts it trusts": "Servidores en los que confía",
    "Any host may answer for its identifiers; these do so with its consent.": (
        "Cualquier servidor puede responder por sus identificadores; estos lo hacen con su consentimiento."
    ),
    "Not registered: those of its scheme hold.": "No registrado: valen los de su esquema.",
    "{host} is none of the hosts that it trusts.": "{host} no es uno de los servidores en los que confía.",
    "Ask one of those below to be sure.": "Para estar seguro, pregunte a uno de los siguientes.",
    "Syntax": "Sintaxis",
    "New identifiers of this authority are held to the strict grammar of the scheme.": (
        "Los identificadores nuevos de esta autoridad se ajustan a la gramática estricta del esquema."
    ),
    "Its identifiers": "Sus identificadores",
    "What they look like": "Cómo son",
    "When two of them are one": "Cuándo dos de ellos son uno",
    "Case": "Mayúsculas y minúsculas",
    "It matters: {one} and {other} are two identifiers.": (
        "Importan: {one} y {other} son dos identificadores."
    ),
    "It means nothing: they are written in lower case.": "No significan nada: se escriben en minúsculas.",
    "It means nothing: they are written in upper case.": "No significan nada: se escriben en mayúsculas.",
    "Whoever manages the namespace disclosed them; none of them is authoritative.": (
        "Los da a conocer quien administra el espacio de nombres; ninguno de ellos hace fe."
    ),
    "{rest} is what follows the namespace.": "{rest} es lo que sigue al espacio de nombres.",
    "Nobody has registered it here: what is known of it is its namespace.": (
        "Nadie lo ha registrado aquí: lo que se sabe de él es su espacio de nombres."
    ),
    "Documentation": "Documentación",
    "Managed by": "Administrado por",
    "Definition": "Definición",
    "What its identifiers answer": "Qué responden sus identificadores",
    "Default form": "Forma por defecto",
    "Canonical form": "Forma canónica",
    "Documents": "Documentos",
    "given at once": "se entregan directamente",
    "a redirect to one of their formats": "una redirección a uno de sus formatos",
    "from {it}": "de {it}",
    "Services": "Servicios",
    "Broader type": "Tipo más amplio",
    "Narrower types": "Tipos más específicos",
    "and more": "y más",
    # Lists
    "Registers": "Registros",
    "The name authority that this sets up": "La autoridad de nombres que esto establece",
    "What is registered": "Lo registrado",
    "Members": "Miembros",
    "Nothing is registered here yet.": "Aquí todavía no hay nada registrado.",
    "The next of them": "Los siguientes",
    "The list of all": "La lista completa",
    "What is listed, and the identifier of each": "Lo que figura en la lista y el identificador de cada cosa",
    "Title": "Título",
    "Identifier": "Identificador",
    # Names of properties and relations, as they are told in English
    "Abstract": "Resumen",
    "Alternate": "Alternativa",
    "Audience": "Público",
    "Author": "Autor",
    "Bibliographic citation": "Cita bibliográfica",
    "Broader": "Más amplio",
    "Collection": "Colección",
    "Contributor": "Colaborador",
    "County": "Condado",
    "Coverage": "Cobertura",
    "Created": "Creado",
    "Creator": "Creador",
    "Date": "Fecha",
    "Describes": "Describe",
    "Extent": "Extensión",
    "Format": "Formato",
    "Has part": "Tiene parte",
    "Has version": "Tiene versión",
    "Is defined by": "Definido por",
    "Is part of": "Es parte de",
    "Is version of": "Es versión de",
    "Issued": "Publicado",
    "Latest version": "Última versión",
    "Latitude": "Latitud",
    "License": "Licencia",
    "Longitude": "Longitud",
    "Medium": "Soporte",
    "Modified": "Modificado",
    "Notation": "Notación",
    "Predecessor version": "Versión anterior",
    "Provenance": "Procedencia",
    "Publisher": "Editor",
    "References": "Referencias",
    "Related": "Relacionado",
    "Relation": "Relación",
    "Replaces": "Sustituye a",
    "Rights": "Derechos",
    "Same as": "Igual a",
    "Source": "Fuente",
    "Spatial": "Lugar",
    "Sub property of": "Subpropiedad de",
    "Subject": "Tema",
    "Successor version": "Versión siguiente",
    "Temporal": "Época",
    "Version": "Versión",
}
