// The CloudFront function of viewer requests, in the subset of ECMAScript 5.1 of every runtime. It passes on the
// query and the host as sent, and rewrites preferences to one spelling, so that those with the same meaning share
// one entry of the cache. The decision stays the same (ginuri's negotiation reads both spellings alike). Long or
// unusual headers are passed on unchanged, which is always right.

var LONGEST_HEADER = 1024; // characters; browsers send 130
var LONGEST_QUERY = 3072; // the gateway accepts 10,240 bytes, with the query twice; a longer one arrives as decoded pairs
var MOST_ELEMENTS = 24; // browsers send eight; a function has a millisecond
var MOST_PARAMETERS = 4; // of one element
var MANY_BLANKS = /[ \t]{4}/; // slow to scan
var BLANKS = /^[ \t]+|[ \t]+$/g;
var UNUSUAL = /[^\t !#-~]/; // a quoted string, or text that is not ASCII
var MEDIA_RANGE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+)(.*)$/;
var LANGUAGE_RANGE = /^([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(.*)$/;
var PROFILE = /^(<[^<>]+>)(.*)$/;
var PARAMETER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)$/;
var QVALUE = /^(?:0(?:\.[0-9]{0,9})?|1(?:\.0*)?|\.[0-9]{1,9})$/;

function handler(event) {
  var request = event.request;
  var headers = request.headers;
  var query = request.rawQueryString();
  if (query && query.length <= LONGEST_QUERY) {
    headers['x-ginuri-query'] = { value: query };
  } else {
    delete headers['x-ginuri-query']; // a client may have sent one
  }
  if (headers.host) {
    headers['x-ginuri-host'] = { value: headers.host.value };
  } else { // HTTP/1.0
    delete headers['x-ginuri-host'];
  }
  if (!/^\/explain(?:\/|$)/.test(request.uri)) { // which shows the sent headers
    rewrite(headers, 'accept', MEDIA_RANGE, writeMediaRanges);
    rewrite(headers, 'accept-language', LANGUAGE_RANGE, writeLanguageRanges);
    rewrite(headers, 'accept-profile', PROFILE, writeProfiles);
  }
  return request;
}

// Replaces a header by its one spelling, or removes it if it has no effect.
function rewrite(headers, name, pattern, write) {
  var sent = headers[name];
  if (!sent || sent.multiValue) {
    return;
  }
  var elements = readElements(sent.value, pattern);
  var written = elements && write(elements);
  if (written) {
    headers[name] = { value: written };
  } else if (written === '') {
    delete headers[name];
  }
}

// Returns the elements of a list, each with its parameters; null if any of them is unusual.
function readElements(header, pattern) {
  if (header.length > LONGEST_HEADER || UNUSUAL.test(header) || MANY_BLANKS.test(header)) {
    return null;
  }
  var texts = header.split(',');
  var elements = [];
  if (texts.length > MOST_ELEMENTS) {
    return null;
  }
  for (var i = 0; i < texts.length; i++) {
    var text = texts[i].replace(BLANKS, '');
    if (text) {
      var found = pattern.exec(text);
      var parameters = found && readParameters(found[2]);
      if (!parameters) {
        return null;
      }
      elements.push({ name: found[1], parameters: parameters });
    }
  }
  return elements;
}

function readParameters(text) {
  var texts = text.split(';');
  var parameters = [];
  if (texts.length > MOST_PARAMETERS + 1) {
    return null;
  }
  for (var i = 0; i < texts.length; i++) {
    var parameter = texts[i].replace(BLANKS, '');
    if (parameter) {
      var found = i > 0 && PARAMETER.exec(parameter);
      if (!found) {
        return null;
      }
      parameters.push({ name: found[1].toLowerCase(), value: found[2].toLowerCase() });
    }
  }
  return parameters;
}

// The first q ends the parameters of a media range (RFC 7231 5.3.2); of one name, the last counts.
function writeMediaRanges(elements) {
  var ranges = [];
  for (var i = 0; i < elements.length; i++) {
    var name = elements[i].name.toLowerCase();
    var parameters = elements[i].parameters;
    var stated = [];
    var q = '1';
    for (var j = 0; j < parameters.length; j++) {
      if (parameters[j].name === 'q') {
        q = parameters[j].value;
        break;
      }
      stated = stated.filter(differsFrom(parameters[j].name));
      stated.push(parameters[j]);
    }
    if (!QVALUE.test(q)) {
      return null;
    }
    ranges.push({ name: name + stated.map(writeParameter).sort().join(''), q: writeQ(q) });
  }
  var written = writeHighest(ranges);
  return written === '*/*' ? '' : written;
}

function differsFrom(name) {
  return function (parameter) {
    return parameter.name !== name;
  };
}

function writeParameter(parameter) {
  return ';' + parameter.name + '=' + parameter.value;
}

// Of a language range the last q counts. Parsers disagree about several `*`.
function writeLanguageRanges(elements) {
  var ranges = [];
  var wildcards = 0;
  for (var i = 0; i < elements.length; i++) {
    var q = lastQ(elements[i].parameters);
    wildcards += elements[i].name === '*' ? 1 : 0;
    if (!QVALUE.test(q) || wildcards > 1) {
      return null;
    }
    ranges.push({ name: elements[i].name.toLowerCase(), q: writeQ(q) });
  }
  return writeHighest(ranges);
}

// Wanted profiles first, in the order of their q and, for equal ones, of the header: their order replaces the q.
// Then the refused ones by name. Of one profile, the highest q counts.
function writeProfiles(elements) {
  var profiles = [];
  for (var i = 0; i < elements.length; i++) {
    var q = lastQ(elements[i].parameters);
    if (!QVALUE.test(q)) {
      return null;
    }
    profiles.push({ name: elements[i].name, q: Number(q), place: i });
  }
  profiles.sort(function (one, other) {
    return other.q - one.q || (one.q ? one.place - other.place : compareNames(one, other));
  });
  var names = profiles.map(nameOf);
  return profiles
    .filter(function (profile, place) {
      return names.indexOf(profile.name) === place;
    })
    .map(function (profile) {
      return profile.q ? profile.name : profile.name + ';q=0';
    })
    .join(',');
}

function lastQ(parameters) {
  var q = '1';
  for (var i = 0; i < parameters.length; i++) {
    q = parameters[i].name === 'q' ? parameters[i].value : q;
  }
  return q;
}

// Never converted from a number: 0.0000001 would become 1e-7.
function writeQ(q) {
  var text = q.charAt(0) === '.' ? '0' + q : q;
  return text.indexOf('.') < 0 ? text : text.replace(/\.?0*$/, '');
}

// Sorted ranges, each once and with its highest q.
function writeHighest(ranges) {
  ranges.sort(function (one, other) {
    return compareNames(one, other) || Number(other.q) - Number(one.q);
  });
  return ranges
    .filter(function (range, place) {
      return place === 0 || range.name !== ranges[place - 1].name;
    })
    .map(function (range) {
      return range.q === '1' ? range.name : range.name + ';q=' + range.q;
    })
    .join(',');
}

function compareNames(one, other) {
  return one.name === other.name ? 0 : one.name < other.name ? -1 : 1;
}

function nameOf(profile) {
  return profile.name;
}
