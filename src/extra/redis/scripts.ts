// Lua scripts that the store runs atomically (redis.io, "Scripting with Lua"). They use the store's clock (TIME), so
// that clocks of gateways do not matter.

import { MAX_LOG_ENTRIES } from '../../limits/processes.ts';
import { script } from '../resp/store-client.ts';

/**
 * KEYS[1] counts changes, KEYS[2] is their log; the published message names number and author. A store that loses its
 * latest changes assigns their numbers again: the time tells them apart.
 */
const APPEND = `
local function append(text, channel, from)
  local n = redis.call('INCR', KEYS[1])
  local time = redis.call('TIME')
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ${MAX_LOG_ENTRIES}, n .. '-0', 'd', text, 't', time[1] .. '.' .. time[2])
  return { n, redis.call('PUBLISH', channel, n .. ' ' .. from) }
end
`;

const NOW_MS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local microseconds = time[1] * 1000000 + time[2]
`;

/**
 * Returns the changes after a number. KEYS: count, log, epoch, locks version. ARGV: number, page size, a new epoch, the
 * time of the change with that number. Returns epoch, count, locks version, milliseconds, entries, 1 if the number now
 * belongs to another change, time of the latest change.
 */
export const CATCH_UP = script(`${NOW_MS}
redis.call('SET', KEYS[3], ARGV[3], 'NX')
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local entries = {}
if count > tonumber(ARGV[1]) then
  entries = redis.call('XRANGE', KEYS[2], (ARGV[1] + 1) .. '-0', '+', 'COUNT', ARGV[2])
end
local known = redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', ARGV[1] .. '-0')[1]
local isOther = known and (known[2][4] or '') ~= ARGV[4] and 1 or 0
local latest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local version = redis.call('GET', KEYS[4]) or ''
return { redis.call('GET', KEYS[3]), count, version, now, entries, isOther, latest and latest[2][4] or '' }
`);

/** A notice. KEYS: count, log. ARGV: channel, author, text. Returns its number and the number of subscribers. */
export const NOTIFY = script(`${APPEND}
return append(ARGV[3], ARGV[1], ARGV[2])
`);

/**
 * Revokes sessions. KEYS: count, log, revocations. ARGV: channel, author, text, limit, then expiry and id of each.
 * Returns like NOTIFY; nothing above the limit.
 */
export const REVOKE = script(`${APPEND}${NOW_MS}
if redis.call('ZCARD', KEYS[3]) + (#ARGV - 4) / 2 > tonumber(ARGV[4]) then
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now / 1000)
  if redis.call('ZCARD', KEYS[3]) + (#ARGV - 4) / 2 > tonumber(ARGV[4]) then return false end
end
for i = 5, #ARGV, 2 do redis.call('ZADD', KEYS[3], 'GT', ARGV[i], ARGV[i + 1]) end
return append(ARGV[3], ARGV[1], ARGV[2])
`);

/**
 * Changes locks. KEYS: count, log, locks, locks version. ARGV: channel, author, text, expected version, number of new
 * locks, token and lock of each, then the tokens of removed ones. Returns like NOTIFY; nothing if the version differs.
 */
export const CHANGE_LOCKS = script(`${APPEND}
if (redis.call('GET', KEYS[4]) or '') ~= ARGV[4] then return false end
local come = tonumber(ARGV[5])
for i = 6, 5 + 2 * come, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
for i = 6 + 2 * come, #ARGV do redis.call('HDEL', KEYS[3], ARGV[i]) end
local told = append(ARGV[3], ARGV[1], ARGV[2])
redis.call('SET', KEYS[4], told[1])
return told
`);

/** For each key of an attempt: failures and slots, for a known network and for others; known networks. */
const COUNTED = `
local function counted(i)
  local flag = ARGV[6 + 2 * ((i - 1) / 5)]
  if flag ~= 'account' then return KEYS[i], KEYS[i + 1], flag == 'other' end
  local till = redis.call('ZSCORE', KEYS[i + 4], ARGV[5])
  if till and tonumber(till) * 1000 > now then return KEYS[i], KEYS[i + 1], true end
  return KEYS[i + 2], KEYS[i + 3], false
end
`;

/**
 * KEYS: five for each key, see COUNTED. ARGV: window and hold in milliseconds, maximum of failures, an unused slot, the
 * network, then flag and attempt id for each key. Returns seconds to wait, 0, or -1 while other attempts are in
 * progress.
 */
export const CHECK = script(`${NOW_MS}${COUNTED}
local window, hold, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wait, crowded = 0, false
local keys, home = {}, false
for i = 1, #KEYS, 5 do
  local flag, id = ARGV[6 + 2 * ((i - 1) / 5)], ARGV[7 + 2 * ((i - 1) / 5)]
  local failures, held, own = counted(i)
  if own and flag == 'account' then home = true end
  keys[#keys + 1] = { failures = failures, held = held, flag = flag, id = id }
end
for _, key in ipairs(keys) do
  local failures, held = key.failures, key.held
  redis.call('ZREMRANGEBYSCORE', held, '-inf', now)
  local count, first = 0, 0
  for _, at in ipairs(redis.call('LRANGE', failures, 0, -1)) do
    if tonumber(at) > now - window then
      if count == 0 then first = tonumber(at) end
      count = count + 1
    end
  end
  if not (home and key.flag == 'address') then
    if count >= most then wait = math.max(wait, math.ceil((first + window - now) / 1000), 1)
    elseif count + redis.call('ZCARD', held) >= most then crowded = true end
  end
end
if wait > 0 then return wait end
if crowded then return -1 end
for _, key in ipairs(keys) do
  redis.call('ZADD', key.held, now + hold, key.id)
  redis.call('PEXPIRE', key.held, hold)
end
return 0
`);

/**
 * KEYS and ARGV like CHECK, but ARGV[4]: the outcome, ARGV[2]: how long a network is known, in seconds, and at the end
 * the maximum of networks per account.
 */
export const END = script(`${NOW_MS}${COUNTED}
local window, known, most, ending = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
for i = 1, #KEYS, 5 do
  local id = ARGV[7 + 2 * ((i - 1) / 5)]
  redis.call('ZREM', KEYS[i + 1], id)
  redis.call('ZREM', KEYS[i + 3], id)
  local failures, _, isForgotten = counted(i)
  if ending == 'failed' then
    redis.call('RPUSH', failures, now)
    redis.call('LTRIM', failures, -most, -1)
    redis.call('PEXPIRE', failures, window)
  elseif ending == 'succeeded' and isForgotten then
    redis.call('DEL', failures)
  end
end
if ending == 'succeeded' then
  for i = 1, #KEYS, 5 do
    if ARGV[6 + 2 * ((i - 1) / 5)] == 'account' then
      redis.call('ZADD', KEYS[i + 4], math.floor(now / 1000) + known, ARGV[5])
      redis.call('ZREMRANGEBYRANK', KEYS[i + 4], 0, -(tonumber(ARGV[#ARGV]) + 1))
      redis.call('EXPIRE', KEYS[i + 4], known)
    end
  end
end
return 0
`);

/** KEYS of an owner: records, sizes, order, in progress, reserved. Removes expired uploads and leases. */
const HOLDINGS = `${NOW_MS}
local function drop_expired(seconds)
  for _, ref in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', microseconds - seconds * 1000000)) do
    redis.call('HDEL', KEYS[1], ref)
    redis.call('HDEL', KEYS[2], ref)
    redis.call('ZREM', KEYS[3], ref)
  end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now)) do
    redis.call('ZREM', KEYS[4], id)
    redis.call('HDEL', KEYS[5], id)
  end
end
local function bytes()
  local sum = 0
  for _, key in ipairs({ KEYS[2], KEYS[5] }) do
    for _, size in ipairs(redis.call('HVALS', key)) do sum = sum + tonumber(size) end
  end
  return sum
end
local function keep(seconds)
  for i = 1, 5 do redis.call('EXPIRE', KEYS[i], seconds) end
end
`;

/** ARGV: lifetime in seconds, id, lease in ms, limits of simultaneous and of all uploads. Returns bytes, or a word. */
export const BEGIN_UPLOAD = script(`${HOLDINGS}
drop_expired(tonumber(ARGV[1]))
if redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[4]) then return 'busy' end
if redis.call('ZCARD', KEYS[3]) + redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[5]) then return 'count' end
redis.call('ZADD', KEYS[4], now + ARGV[3], ARGV[2])
keep(tonumber(ARGV[1]) * 2)
return bytes()
`);

/** Reserves the size. ARGV: seconds, id, bytes, quota. Returns 1; 0: over the quota. */
export const RESERVE_UPLOAD = script(`${HOLDINGS}
if not redis.call('ZSCORE', KEYS[4], ARGV[2]) then return -1 end
drop_expired(tonumber(ARGV[1]))
if bytes() + tonumber(ARGV[3]) > tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[5], ARGV[2], ARGV[3])
return 1
`);

/** All chunks are stored. ARGV: seconds, id, bytes, ref, record. Returns 1; -1: too late. */
export const FINISH_UPLOAD = script(`${HOLDINGS}
if redis.call('ZREM', KEYS[4], ARGV[2]) == 0 then return -1 end
redis.call('HDEL', KEYS[5], ARGV[2])
redis.call('HSET', KEYS[1], ARGV[4], ARGV[5])
redis.call('HSET', KEYS[2], ARGV[4], ARGV[3])
redis.call('ZADD', KEYS[3], microseconds, ARGV[4])
keep(tonumber(ARGV[1]) * 2)
return 1
`);

/** Extends the lease. ARGV: id, lease in ms. */
export const RENEW_UPLOAD = script(`${NOW_MS}
return redis.call('ZADD', KEYS[4], 'XX', now + ARGV[2], ARGV[1])
`);

/** Cancels an upload. ARGV: id. */
export const GIVE_UP_UPLOAD = script(`
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
return 0
`);

/** ARGV: seconds, then a ref, or none for all. Returns time and record of each, oldest first. */
export const FIND_UPLOADS = script(`${NOW_MS}
local first = microseconds - ARGV[1] * 1000000
local found = {}
local refs = ARGV[2] and { ARGV[2] } or redis.call('ZRANGE', KEYS[3], 0, -1)
for _, ref in ipairs(refs) do
  local made, record = redis.call('ZSCORE', KEYS[3], ref), redis.call('HGET', KEYS[1], ref)
  if made and record and tonumber(made) > first then
    found[#found + 1] = tostring(math.floor(made / 1000000))
    found[#found + 1] = record
  end
end
return found
`);

/** ARGV: seconds, ref. Returns its size; -1: there is none. */
export const REMOVE_UPLOAD = script(`${NOW_MS}
local made, size = redis.call('ZSCORE', KEYS[3], ARGV[2]), redis.call('HGET', KEYS[2], ARGV[2])
if not made or not size or tonumber(made) <= microseconds - ARGV[1] * 1000000 then return -1 end
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[2])
return tonumber(size)
`);
