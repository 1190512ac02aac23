"""Names that people give to columns, by field and language."""

from __future__ import annotations

import re

_BY_LANGUAGE: tuple[dict[str, str], ...] = (
    {
        "identifier": "persistent identifier, persistent id, persistent uri, persistent url, pid, puri, "
        "purl, guid, iri, urn, ark, handle, permalink, uri identifier",
        "title": "name, full name, display name, caption, heading, station nm",
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
        "title": "titre, nom, intitulé, dénomination, désignation, libellé",
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
    {  # Dutch, Swedish, Danish, Norwegian, Finnish, Estonian
        "identifier": "kenmerk, persistente identificatie, identifikation, tunniste, pysyvä tunniste",
        "title": "naam, benaming, namn, benämning, rubrik, navn, tittel, nimi, otsikko, nimike",
        "description": "omschrijving, beschrijving, kirjeldus, samenvatting, beskrivning, sammanfattning, "
        "beskrivelse, kuvaus, tiivistelmä",
        "location": "koppeling, webadres, webpagina, verwijzing, länk, webbadress, webbplats, webbsida, "
        "hänvisning, lenke, webadresse, nettadresse, hjemmeside, linkki, verkkosivu, verkko osoite",
        "language": "taal, språk, sprog, kieli",
        "contact": "e-mailadres, e-post, e-postadress, sähköposti",
        "file": "bestand, bestandsnaam, filnamn, filnavn, tiedosto",
        "media_type": "bestandstype, filtyp, filtype, tiedostomuoto",
        "spatial": "coördinaten, geometrie, koordinater, koordinaatit",
    },
    {  # Polish, Czech, Slovak, Hungarian, Romanian
        "identifier": "identyfikator, identyfikator trwały, identifikátor, trvalý identifikátor, azonosító",
        "title": "nazwa, tytuł, název, jméno, titul, názov, név, megnevezés, cím, denumire, nume, titlu",
        "description": "opis, streszczenie, popis, souhrn, leírás, összefoglalás, descriere, rezumat",
        "location": "odnośnik, łącze, adres, adres www, adres url, strona internetowa, odkaz, webová adresa, "
        "webová stránka, hivatkozás, webcím, honlap, legătură, adresă web",
        "language": "język, jazyk, nyelv, limbă",
        "contact": "adres e-mail, kontakt e-mail",
        "file": "plik, nazwa pliku, soubor, súbor, fájl, fájlnév, fișier",
        "spatial": "współrzędne, souřadnice, súradnice, koordináták, coordonate",
    },
    {  # Russian, Ukrainian, Greek
        "identifier": "идентификатор, постоянный идентификатор, ідентифікатор, αναγνωριστικό",
        "title": "название, наименование, заголовок, имя, назва, найменування, τίτλος, όνομα, ονομασία",
        "description": "описание, аннотация, опис, περιγραφή, περίληψη",
        "location": "ссылка, гиперссылка, адрес, веб-адрес, сайт, посилання, σύνδεσμος, ιστοσελίδα",
        "language": "язык, мова, γλώσσα",
        "contact": "электронная почта, эл почта",
        "file": "файл, имя файла, αρχείο",
        "spatial": "координаты, геометрия, координати, συντεταγμένες",
    },
    {  # Turkish, Arabic, Indonesian, Catalan, Vietnamese, Croatian, Slovenian, Hebrew, Persian
        "identifier": "kimlik, tanımlayıcı, kalıcı tanımlayıcı, المعرف, معرف, pengenal, pengidentifikasi",
        "title": "tên, tiêu đề, naziv, naslov, שם, כותרת, نام, "
        "ad, adı, isim, başlık, الاسم, اسم, العنوان, عنوان, nama, judul, títol, denominació",
        "description": "mô tả, תיאור, توضیحات, "
        "açıklama, tanım, özet, الوصف, وصف, deskripsi, keterangan, "
        "ringkasan, descripció, resum",
        "location": "liên kết, poveznica, povezava, קישור, پیوند, "
        "bağlantı, web adresi, web sitesi, الرابط, رابط, tautan, pranala, alamat web, enllaç, "
        "adreça web, pàgina web",
        "language": "dil, اللغة, bahasa, llengua",
        "contact": "e-posta, eposta, البريد الإلكتروني, surel, correu electrònic",
        "file": "dosya, dosya adı, الملف, berkas, nama berkas, fitxer, nom del fitxer",
        "spatial": "koordinatlar, الإحداثيات, koordinat, coordenades",
    },
    {  # Japanese, Chinese, Korean
        "identifier": "識別子, 永続的識別子, 标识符, 永久标识符, 識別碼, 标识, 식별자",
        "title": "名称, 名前, タイトル, 題名, 表題, 件名, 标题, 名稱, 標題, 题名, 題名, 제목, 이름, 명칭",
        "description": "説明, 概要, 摘要, 描述, 说明, 简介, 설명, 요약",
        "location": "リンク, ホームページ, ウェブサイト, 链接, 网址, 網址, 連結, 鏈接, "
        "링크, 웹사이트, 웹주소",
        "language": "言語, 语言, 語言, 언어",
        "contact": "メール, メールアドレス, 电子邮件, 電子郵件, 邮箱, 이메일",
        "file": "ファイル, ファイル名, 文件, 文件名, 檔案, 파일",
        "spatial": "座標, 坐标, 좌표",
    },
)
SYNONYMS = [
    (field, name.strip())
    for names in _BY_LANGUAGE
    for field, listed in names.items()
    for name in listed.split(",")
]
"""Pairs of a field and a name of it."""

is_title = re.compile(
    "tit[eou]?l|títul|títol|titre|tytuł|τίτλος|заголовок|başlık|عنوان|judul|naslov|otsikko|rubrik|タイトル"
    "|[标標題题][题題名]|제목",
    re.IGNORECASE,
).search
"""Whether a name says title, and not just name, which may be that of a person."""
is_of_person = re.compile(
    r"(?:author|creator|collector|owner|operator|person|company|project|county|autor|auteur|eigentümer)s?"
    r"[\s_-]?name|(?:first|last|family)[\s_-]?name|(?:vor|nach|besitzer)name",
    re.IGNORECASE,
).search
"""Whether a column has the names of people or of something else than the rows."""


def _list(names: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in names.split(","))


LATITUDES = _list("""
    lat, latitude, latitud, breite, breitengrad, geographische breite, latitudine, lat dd, decimal latitude,
    latitude wgs84, wgs84 lat, lat wgs84, dec lat va, breedtegraad, latitud, bredd, breddgrad, breddegrad,
    leveysaste, leveyspiiri, szerokość, szerokość geograficzna, zeměpisná šířka, šířka, szélesség, enlem,
    широта, γεωγραφικό πλάτος, خط العرض, دائرة العرض, lintang, vĩ độ, latitude n, 緯度, 纬度, 위도
""")
LONGITUDES = _list("""
    lon, long, lng, longitude, longitud, länge, längengrad, geographische länge, longitudine, lon dd, long dd,
    decimal longitude, longitude wgs84, wgs84 lon, lon wgs84, dec long va, lengtegraad, längd, längdgrad,
    længdegrad, lengdegrad, pituusaste, pituuspiiri, długość, długość geograficzna, zeměpisná délka, délka,
    hosszúság, boylam, долгота, довгота, γεωγραφικό μήκος, خط الطول, bujur, kinh độ, longitude e,
    経度, 经度, 經度, 경도
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
    n°, codice, sigla, sigle, signatur, inventarnummer, call number, cote, uid, uuid, igsn,
    kod, kode, kood, kód, koodi, numero, numer, číslo, nomor, numara, код, номер, κωδικός, رقم, الرقم, الرمز,
    番号, 整理番号, コード, 编号, 編號, 序号, 代码, 번호, 코드, site no, station no
""")
"""Names of columns with numbers or codes that an identifier may be made from."""
