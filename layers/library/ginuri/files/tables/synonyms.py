"""Names that people give to columns, by field: English, Spanish, German, French, Portuguese, Italian."""

from __future__ import annotations

_BY_LANGUAGE: tuple[dict[str, str], ...] = (
    {
        "identifier": "persistent identifier, persistent id, persistent uri, persistent url, pid, puri, "
        "purl, guid, iri, urn, ark, handle, permalink, uri identifier",
        "title": "name, full name, display name, caption, heading",
        "description": "abstract, summary, details",
        "location": "link, web link, hyperlink, web address, address, href, web page, landing page, "
        "redirect, redirect to, download, target url, target uri, points to, resolves to",
        "media_type": "format, file format, mime type, mime, content type, file type",
        "language": "lang",
        "status": "state, life cycle",
        "successor": "replaced by, is replaced by, superseded by, replacement",
        "reason": "reason for change, change note",
        "record": "record type",
        "contact": "e-mail, email address, contact email",
        "homepage": "web site",
        "file": "file name, filename",
        "valid_from": "valid since, effective date, effective from",
        "until": "embargo, embargoed until, embargo ends, available from",
        "part_of": "collection, parent, member of, belongs to, is part of",
        "spatial": "geometry, geom, wkt, coordinates, bounding box, extent",
        "stands_for": "alias of, same as",
    },
    {
        "identifier": "identificador, identificador persistente",
        "title": "título, nombre, denominación",
        "description": "descripción, resumen",
        "location": "enlace, dirección, destino, página web",
        "media_type": "formato, tipo de archivo",
        "language": "idioma, lengua",
        "status": "estado",
        "successor": "sustituido por, sucesor",
        "reason": "motivo, razón",
        "record": "tipo de registro",
        "contact": "correo, correo electrónico, contacto",
        "homepage": "sitio web",
        "file": "archivo, fichero",
        "valid_from": "válido desde",
        "until": "embargado hasta, disponible desde",
        "part_of": "colección",
        "spatial": "coordenadas, geometría",
        "stands_for": "alias de",
    },
    {
        "identifier": "kennung, persistente kennung, bezeichner, identifikator",
        "title": "titel, bezeichnung, benennung",
        "description": "beschreibung, zusammenfassung, kurzbeschreibung, erläuterung",
        "location": "verweis, adresse, webadresse, internetadresse, netzadresse, ziel, zieladresse, webseite",
        "media_type": "dateiformat, dateityp, medientyp",
        "language": "sprache",
        "status": "zustand",
        "successor": "ersetzt durch, nachfolger",
        "reason": "grund, begründung",
        "contact": "kontakt, ansprechpartner",
        "file": "datei, dateiname",
        "valid_from": "gültig ab, gültig seit",
        "until": "gesperrt bis, sperrfrist, verfügbar ab",
        "part_of": "sammlung, gehört zu, teil von, bestand",
        "spatial": "koordinaten, geometrie, ausdehnung",
        "stands_for": "alias für",
    },
    {
        "identifier": "identifiant, identifiant pérenne",
        "title": "titre, nom, intitulé, dénomination, libellé",
        "description": "résumé, descriptif",
        "location": "lien, adresse web, cible, page web",
        "media_type": "type de fichier, type mime, format de fichier",
        "language": "langue",
        "status": "statut, état",
        "successor": "remplacé par, successeur",
        "reason": "motif, raison",
        "contact": "courriel",
        "homepage": "site web",
        "file": "fichier, nom du fichier",
        "valid_from": "valide depuis, en vigueur depuis",
        "until": "embargo jusquau, disponible à partir du",
        "part_of": "fait partie de",
        "spatial": "coordonnées, géométrie, emprise",
    },
    {
        "identifier": "identificador permanente",
        "title": "nome, denominação, designação",
        "description": "descrição, resumo",
        "location": "ligação, hiperligação, endereço, endereço web",
        "media_type": "tipo de ficheiro, tipo de arquivo",
        "language": "língua",
        "status": "situação",
        "successor": "substituído por, sucessor",
        "reason": "razão",
        "contact": "contato, correio eletrónico",
        "homepage": "sítio web",
        "file": "ficheiro, arquivo, nome do ficheiro, nome do arquivo",
        "valid_from": "vigente desde",
        "until": "embargado até, disponível a partir de",
        "part_of": "coleção, parte de, faz parte de",
        "spatial": "geometria",
    },
    {
        "identifier": "identificatore, identificativo, identificatore persistente",
        "title": "titolo, denominazione",
        "description": "descrizione, riassunto, sommario",
        "location": "collegamento, indirizzo, indirizzo web, destinazione, pagina web",
        "media_type": "tipo di file, formato file",
        "language": "lingua",
        "status": "stato",
        "successor": "sostituito da, successore",
        "reason": "ragione",
        "contact": "contatto, posta elettronica",
        "homepage": "sito web",
        "file": "nome file, nome del file",
        "valid_from": "valido dal, in vigore dal",
        "until": "embargo fino al, disponibile dal",
        "part_of": "collezione, raccolta, parte di",
        "spatial": "coordinate, estensione",
    },
)
SYNONYMS = [
    (field, name.strip())
    for names in _BY_LANGUAGE
    for field, listed in names.items()
    for name in listed.split(",")
]
"""Pairs of a field and a name of it."""


def _list(names: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in names.split(","))


LATITUDES = _list("""
    lat, latitude, latitud, breite, breitengrad, geographische breite, latitudine, lat dd, decimal latitude,
    latitude wgs84, wgs84 lat, lat wgs84
""")
LONGITUDES = _list("""
    lon, long, lng, longitude, longitud, länge, längengrad, geographische länge, longitudine, lon dd, long dd,
    decimal longitude, longitude wgs84, wgs84 lon, lon wgs84
""")
EASTINGS = _list("""
    x, x coord, coord x, easting, east, rechtswert, ostwert, este, est, coordenada x, coordonnée x,
    utm e, utm x
""")
NORTHINGS = _list("""
    y, y coord, coord y, northing, north, hochwert, nordwert, norte, nord, coordenada y, coordonnée y,
    utm n, utm y
""")
CODES = _list("""
    id, code, key, number, no, nr, num, nummer, kennziffer, lfd nr, fid, oid, objectid, código, cod, número,
    n°, codice, sigla, sigle, signatur, inventarnummer, call number, cote, uid, uuid, igsn
""")
"""Names of columns with numbers or codes that an identifier may be made from."""
