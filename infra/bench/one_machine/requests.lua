-- Asks for registered names in random order, and writes the figures as JSON.
local names, size

function init(arguments)
  names, size = arguments[1], tonumber(arguments[2])
  math.randomseed(tonumber(arguments[3]))
end

function request()
  return wrk.format("GET", string.format(names, math.random(0, size - 1)))
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "failed": %d, "median": %.3f, "p99": %.3f}\n',
    summary.requests, summary.duration / 1e6,
    failed.connect + failed.read + failed.write + failed.status + failed.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
