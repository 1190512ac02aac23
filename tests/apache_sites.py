"""A made-up folder of .htaccess files with the constructs of real ones, and requests for its names."""

from __future__ import annotations

HOST = "w3id.example"
FILES = {
    ".htaccess": """\
Options +FollowSymLinks
RewriteEngine on
RewriteRule ^OLD(.*)$ /plain$1
""",
    "plain/.htaccess": """\
RewriteEngine on
# A comment
RewriteRule ^$ https://b.example/ [R=302,L]
RewriteRule ^a\\.b$ https://b.example/dot [R=301,L]
RewriteRule ^item/([0-9]{2,4})/?$ https://b.example/item?id=$1 [R=303,L]
RewriteRule ^all/(.*)$ https://b.example/all/$1 [R=302,L]
RewriteRule ^hash/(.*)$ https://b.example/page#$1 [R=303,L]
RewriteRule ^named/(.*)$ https://b.example/page#$1 [R=303,NE,L]
RewriteRule ^code$ https://b.example/a%20b [R=303,L]
RewriteRule ^signs$ https://b.example/x;y,z{}[]"^?a=b|c [L]
RewriteRule ^dollar$ https://b.example/a\\$1\\b [R=303,L]
RewriteRule ^query$ https://b.example/?z=1 [R=303,QSA,L]
RewriteRule ^noquery$ https://b.example/? [R=303,L]
RewriteRule ^Case$ https://b.example/case [NC,R=302,L]
RewriteRule ^gone$ - [G]
RewriteRule ^forbidden$ - [F]
RewriteRule ^missing$ https://b.example/ [R=404,L]
RewriteRule "^quoted/(.*)$" "https://b.example/q uoted/$1" [R=302,L]
RewriteRule ^long/(.*)$ \\
  https://b.example/long/$1 [R=302,L]
RewriteRule ^inner$ all/inner [L]
RewriteRule ^next/(.*)$ all/$1
RewriteRule ^on/(.*)$ https://c.example/$1 [R=302]
RewriteRule ^https://c\\.example/(.*)$ https://d.example/$1 [R=303]
RewriteRule ^chained/(.*)$ - [C]
RewriteRule ^chained/x$ https://b.example/chained-x [R=302,L]
RewriteRule ^skip/ - [S=1]
RewriteRule ^skip/a$ https://b.example/never [R=302,L]
RewriteRule ^skip/a$ https://b.example/skipped [R=302,L]
RewriteRule ^(.*)\\.(ttl|owl)$ https://b.example/$2/$1 [R=302,L]
RewriteRule !^(item|all)/ https://b.example/other [R=302,L]
""",
    "words/.htaccess": """\
RewriteEngine On
SetEnvIf Request_URI ^.*$ BASE=https://env.example
SetEnvIf Accept ^.*text/turtle.* SYNTAX=ttl
SetEnvIf Accept ^.*text/html.* SYNTAX=html
RewriteCond %{ENV:SYNTAX} ^(ttl|html)$
RewriteRule ^set/([a-z]+)$ %{ENV:BASE}/$1.%{ENV:SYNTAX} [R=303,L]
RewriteRule ^flag/(.*)$ - [E=PLACE:$1]
RewriteRule ^flag/.*$ https://b.example/%{ENV:PLACE} [R=302,L]
RewriteCond %{REQUEST_URI} special
RewriteRule ^by/(.*)$ https://b.example/special/$1 [R=302,L]
RewriteCond %{REQUEST_URI} ^/words/by/([a-z]+)-
RewriteRule ^by/ https://b.example/%1 [R=302,L]
RewriteCond %{REQUEST_METHOD} ^(PUT|POST)$
RewriteRule ^method$ https://b.example/method [R=302,L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteRule ^file$ https://b.example/file [R=302,L]
""",
    "compared/.htaccess": """\
RewriteEngine On
RewriteCond %{REQUEST_METHOD} =get [NC]
RewriteRule ^equal$ https://b.example/equal [R=302,L]
RewriteCond %{REQUEST_METHOD} =get
RewriteRule ^unequal$ https://b.example/unequal [R=302,L]
RewriteCond $1 -ge10
RewriteCond $1 !-gt20
RewriteRule ^number/(.*)$ https://b.example/number/$1 [R=302,L]
RewriteCond $1 >m
RewriteRule ^letter/(.*)$ https://b.example/behind/$1 [R=302,L]
RewriteCond $1 <c
RewriteRule ^letter/(.*)$ https://b.example/before/$1 [R=302,L]
<IfModule mod_rewrite.c>
RewriteRule ^section$ \\
  https://b.example/section [R=302,L]
</IfModule>
<IfModule !mod_rewrite.c>
RewriteRule ^section$ https://b.example/never [R=302,L]
</IfModule>
<Files "other">
RewriteRule ^unsectioned$ https://b.example/never [R=302,L]
</Files>
""",
    "onto/.htaccess": """\
Options -MultiViews
AddType text/turtle .ttl
RewriteEngine On
RewriteCond %{HTTP_ACCEPT} !application/rdf\\+xml.*(text/html|application/xhtml\\+xml)
RewriteCond %{HTTP_ACCEPT} text/html [OR]
RewriteCond %{HTTP_ACCEPT} application/xhtml\\+xml [OR]
RewriteCond %{HTTP_USER_AGENT} ^Mozilla/.*
RewriteRule ^$ https://b.example/index.html [R=303,L]
RewriteCond %{HTTP_ACCEPT} application/ld\\+json
RewriteRule ^$ https://b.example/onto.jsonld [R=303,L]
RewriteCond %{HTTP_ACCEPT} \\*/\\* [OR]
RewriteCond %{HTTP_ACCEPT} application/rdf\\+xml
RewriteRule ^$ https://b.example/onto.owl [R=303,L]
RewriteCond %{HTTP_ACCEPT} text/turtle [OR]
RewriteCond %{HTTP_ACCEPT} text/\\* [OR]
RewriteCond %{HTTP_ACCEPT} \\*/turtle
RewriteRule ^$ https://b.example/onto.ttl [R=303,L]
RewriteCond %{HTTP_ACCEPT} .+
RewriteRule ^$ https://b.example/406.html [R=406,L]
RewriteRule ^$ https://b.example/onto.owl [R=303,L]
RewriteCond %{HTTP_ACCEPT} text/turtle [NC]
RewriteRule ^terms/(.+)$ https://b.example/terms.ttl [R=303,L]
RewriteRule ^terms/(.+)$ https://b.example/terms.html#$1 [R=303,NE,L]
""",
    "onto/1.0/.htaccess": """\
RewriteEngine On
RewriteRule ^$ https://b.example/1.0/ [R=302,L]
""",
    "onto/docs/.htaccess": """\
Header set Access-Control-Allow-Origin *
""",
    "moved/.htaccess": """\
Redirect 301 /moved/away https://b.example/away
RedirectMatch 303 ^/moved/m/([^/]+)$ https://b.example/m#$1
Redirect gone /moved/gone
Redirect 301 /moved/inner /plain/all
ErrorDocument 404 https://b.example/404.html
""",
    "own/.htaccess": """\
RewriteEngine On
RewriteRule ^x$ https://b.example/x [R=302,L]
RewriteRule ^$ https://w3id.example/plain/a.b [R=302,L]
""",
    "whole/.htaccess": """\
Redirect 303 /whole https://b.example/whole
""",
    "broken/.htaccess": """\
RewriteEngine On
RewriteRule ^a$ https://b.example/a [R=302 ,L, NE]
RewriteRule ^b$ https://b.example/b [R=302,L]
""",
}
PATHS = (
    "/plain/", "/plain", "/plain/a.b", "/plain/axb", "/plain/item/12", "/plain/item/12345", "/plain/item/7/",
    "/plain/all/", "/plain/all/x/y/", "/plain/all/a%20b;c", "/plain/hash/x", "/plain/named/x", "/plain/code",
    "/plain/signs", "/plain/dollar", "/plain/query?q=1", "/plain/noquery?q=1", "/plain/all/x?q=1&r=%20",
    "/plain/CASE", "/plain/gone", "/plain/forbidden", "/plain/missing", "/plain/quoted/x", "/plain/long/x/y",
    "/plain/inner", "/plain/next/x", "/plain/on/x", "/plain/on/x/y", "/plain/chained/x", "/plain/chained/y",
    "/plain/skip/a", "/plain/x.ttl", "/plain/x/y.owl", "/plain/unknown", "/OLD/a.b", "/OLDx",
    "/words/set/abc", "/words/set/ABC", "/words/flag/x", "/words/by/special-x", "/words/by/plain-x",
    "/words/by/123", "/words/method", "/words/file", "/words/", "/words",
    "/compared/equal", "/compared/unequal", "/compared/number/9", "/compared/number/10",
    "/compared/number/21", "/compared/letter/a", "/compared/letter/g", "/compared/letter/z",
    "/compared/section", "/compared/unsectioned",
    "/onto/", "/onto", "/onto/terms/x", "/onto/terms/", "/onto/1.0/", "/onto/1.0", "/onto/1.0/terms/x",
    "/onto/docs/", "/onto/docs", "/onto/docs/x", "/moved/away", "/moved/away/x/y", "/moved/awayx",
    "/moved/m/x", "/moved/m/x/y", "/moved/gone", "/moved/inner", "/moved/inner/x",
    "/moved/unknown", "/broken/a", "/broken/b", "/own", "/own/", "/own/x",
    "/whole", "/whole/", "/whole/x/y", "/wholex",
)  # fmt: skip
