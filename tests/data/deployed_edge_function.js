// The CloudFront function of viewer requests, in the subset of ECMAScript 5.1 that every runtime knows. It hands
// over the query and the host as they were sent, and writes preferences in one way, so that those that mean the
// same share one entry of the cache. What it rewrites is decided as what was sent (ginuri's negotiation reads
// both alike); whatever is long or unusual is passed on as it came, which is always right.

var LONGEST_HEADER = 1024; // characters; browsers send 130
var LONGEST_QUERY = 3072; // the gateway takes 10,240 bytes, the query twice; a longer one arrives as decoded pairs
var MOST_ELEMENTS = 24; // browsers send eight; a function has a millisecond
var MOST_PARAMETERS = 4; // of one element
var MANY_BLANKS = /[ \t]{4}/; // which would take long to look through
var BLANKS = /^[ \t]+|[ \t]+$/g;
var UNUSUAL = /[^\t !#-~]/; // a quoted string, or what is not ASCII
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
  if (!/^\/explain(?:\/|$)/.test(request.uri)) { // which says what was sent
    rewrite(headers, 'accept', MEDIA_RANGE, writeMediaRanges);
    rewrite(headers, 'accept-language', LANGUAGE_RANGE, writeLanguageRanges);
    rewrite(headers, 'accept-profile', PROFILE, writeProfiles);
  }
  return request;
}

// Replaces a header by its one writing, or removes it where it says nothing.
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

// Returns the elements of a list, each with its parameters; null where any of them is unusual.
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

// Of a language range the last q counts. What several `*` mean depends on who reads them.
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

// Profiles are taken in the order of their q, of equals the first: their order says it all.
function writeProfiles(elements) {
  var profiles = [];
  for (var i = 0; i < elements.length; i++) {
    var q = lastQ(elements[i].parameters);
    if (!QVALUE.test(q)) {
      return null;
    }
    if (Number(q)) {
      profiles.push({ name: elements[i].name, q: Number(q), place: i });
    }
  }
  profiles.sort(function (one, other) {
    return other.q - one.q || one.place - other.place;
  });
  return profiles.map(nameOf).filter(isFirst).join(',');
}

function lastQ(parameters) {
  var q = '1';
  for (var i = 0; i < parameters.length; i++) {
    q = parameters[i].name === 'q' ? parameters[i].value : q;
  }
  return q;
}

// Never a number as text: 0.0000001 would become 1e-7.
function writeQ(q) {
  var text = q.charAt(0) === '.' ? '0' + q : q;
  return text.indexOf('.') < 0 ? text : text.replace(/\.?0*$/, '');
}

// Ranges in order, each once and with its highest q.
function writeHighest(ranges) {
  ranges.sort(function (one, other) {
    return one.name === other.name ? Number(other.q) - Number(one.q) : one.name < other.name ? -1 : 1;
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

function nameOf(profile) {
  return profile.name;
}

function isFirst(name, place, names) {
  return names.indexOf(name) === place;
}
