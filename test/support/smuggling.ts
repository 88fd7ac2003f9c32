// Bytes of one HTTP client that two parsers may take apart in different ways (RFC 9112 section 11.2): each with what
// must come of it at a server that takes them as the RFC says, or not at all.

/** what a front might let through as part of a body, and a back take for a request */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
/** answered only where everything before it was understood, and ends the connection */
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

export interface Vector {
  name: string;
  /** in Latin-1 */
  bytes: string;
  /** of each answer: `METHOD /path body` as it was understood, or the status of a refusal, which is the last */
  answers: string[];
}

type Expected = string | 'refused';

function post(name: string, fields: string, body: string, expected: Expected): Vector {
  return whole(name, `POST /a HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${body}`, expected);
}

function get(name: string, head: string, expected: Expected): Vector {
  return whole(name, `${head}\r\n\r\n`, expected);
}

function whole(name: string, request: string, expected: Expected): Vector {
  const answers = /^\d/.test(expected) ? [expected] : expected.split(', ').concat('GET /last');
  return { name, bytes: request + LAST, answers };
}

const chunked = (name: string, chunks: string, expected: Expected) =>
  post(`chunks: ${name}`, 'Transfer-Encoding: chunked', chunks, expected);

const length = (value: string, expected: Expected, body = 'hello') =>
  post(`Content-Length: ${JSON.stringify(value)}`, `Content-Length: ${value}`, body, expected);

const coding = (value: string, expected: Expected) =>
  post(
    `Transfer-Encoding: ${JSON.stringify(value)}`,
    `Transfer-Encoding: ${value}`,
    '5\r\nhello\r\n0\r\n\r\n',
    expected,
  );

const OK = 'POST /a hello';
const NO_BODY = 'POST /a';

export const VECTORS: readonly Vector[] = [
  // RFC 9112 section 6.3: one length, of digits
  length('5', OK),
  length(' 5 \t', OK),
  length('005', OK),
  length('5, 5', '400'),
  length('5,6', '400'),
  length('+5', '400'),
  length('-5', '400'),
  length('5.0', '400'),
  length('0x5', '400'),
  length('5 5', '400'),
  length('', '400'),
  length('18446744073709551621', '400'),
  length('99999999999999999999999999', '400'),
  post('two lengths that differ', 'Content-Length: 5\r\nContent-Length: 6', 'hello', '400'),
  post('two lengths that are the same', 'Content-Length: 5\r\nContent-Length: 5', 'hello', '400'),
  post(
    'a length and chunks',
    `Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: chunked`,
    `0\r\n\r\n${HIDDEN}`,
    '400',
  ),
  post('chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${HIDDEN}`, '400'),
  post('no length, and a body all the same', 'X: y', '', NO_BODY),
  get('a GET with a body', 'GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0', 'GET /a'),
  whole(
    'a GET whose body looks like a request',
    `GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    `GET /a ${HIDDEN}`,
  ),
  post(
    'an Expect before a body that looks like a request',
    `Expect: 100-continue\r\nContent-Length: ${HIDDEN.length}`,
    HIDDEN,
    `POST /a ${HIDDEN}`,
  ),

  // RFC 9112 section 6.1: chunked, once, and nothing else
  coding('chunked', OK),
  coding('CHUNKED', OK),
  coding('\tchunked', OK),
  coding('xchunked', '400'),
  coding('chunked, identity', '400'),
  coding('identity, chunked', '400'),
  coding('gzip, chunked', '400'),
  coding('chunked, chunked', '400'),
  coding('chunked;q=1', '400'),
  coding('"chunked"', '400'),
  coding("'chunked'", '400'),
  coding('chunked,', '400'),
  coding(', chunked', '400'),
  coding('\vchunked', '400'),
  coding('chunked\t', '400'), // node is stricter than it must be
  coding('chunked\v', '400'),
  coding('chunked\0', '400'),
  coding('', '400'),
  coding('identity', '400'),
  coding('\r\n chunked', '400'),
  post('two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n', '400'),
  post('two codings that are the same', 'Transfer-Encoding: chunked\r\ntransfer-encoding: chunked', '0\r\n\r\n', '400'),
  get('chunks in HTTP/1.0', 'POST /a HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0', '400'),

  // names and lines of fields: RFC 9112 section 5
  post('a blank before the colon', 'Transfer-Encoding : chunked', '0\r\n\r\n', '400'),
  post('a tab before the colon', 'Content-Length\t: 5', 'hello', '400'),
  post('a blank before the name', ' Transfer-Encoding: chunked', '0\r\n\r\n', '400'),
  post('a folded line', 'X: y\r\n Transfer-Encoding: chunked', '', '400'),
  post('a folded line, by a tab', 'X: y\r\n\tContent-Length: 5', 'hello', '400'),
  post('an underscore, which is another name', 'Transfer_Encoding: chunked\r\nContent-Length: 5', 'hello', OK),
  post('a NUL in a name', 'Transfer-Encoding\0: chunked', '0\r\n\r\n', '400'),
  post('a NUL in a value', 'X: a\0b\r\nContent-Length: 5', 'hello', '400'),
  post('a control character in a name', 'Content\x01Length: 5', 'hello', '400'),
  post('a control character in a value', 'X: \x01\r\nContent-Length: 5', 'hello', '400'),
  post('a line without a colon', 'Content-Length\r\nContent-Length: 5', 'hello', '400'),
  post('a line without a name', ': 5\r\nContent-Length: 5', 'hello', '400'),
  post('brackets in a name', 'Content-Length(x): 5', 'hello', '400'),
  post('a bare LF between fields', 'X: y\nTransfer-Encoding: chunked', '0\r\n\r\n', '400'),
  post('a bare CR between fields', 'X: y\rTransfer-Encoding: chunked', '0\r\n\r\n', '400'),
  post('a bare CR at the end of a field', 'X: y\r\r\nContent-Length: 5', 'hello', '400'),
  whole('bare LFs all through', `POST /a HTTP/1.1\nHost: x\nContent-Length: 5\n\nhello`, '400'),
  whole('an end of the head by a bare LF', `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\nhello`, '400'),
  whole('an end of the head by LF CR', `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\n\r\nhello`, '400'),

  // chunks: RFC 9112 section 7.1
  chunked('two', '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n', OK),
  chunked('hexadecimal', 'A\r\nhellohello\r\na\r\nhellohello\r\n0\r\n\r\n', 'POST /a hellohellohellohello'),
  chunked('zeros before the size', '0005\r\nhello\r\n000\r\n\r\n', OK),
  chunked('an extension', '5;a=b;c="d"\r\nhello\r\n0;x\r\n\r\n', OK),
  chunked('an extension that is a request', `5;${'x'.repeat(20)}\r\nhello\r\n0\r\n\r\n`, OK),
  chunked('an endless extension', `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, '413'),
  chunked('a bare LF in an extension', `5;a\nhello\r\n0\r\n\r\n`, '400'),
  chunked('a bare CR in an extension', `5;a\rb\r\nhello\r\n0\r\n\r\n`, '400'),
  chunked('a bare LF behind the size', '5\nhello\r\n0\r\n\r\n', '400'),
  chunked('a bare LF behind the data', '5\r\nhello\n0\r\n\r\n', '400'),
  chunked('a bare CR behind the size', '5\rhello\r\n0\r\n\r\n', '400'),
  chunked('an end by bare LF', '5\r\nhello\r\n0\n\n', '400'),
  chunked('more data than was said', '5\r\nhelloX\r\n0\r\n\r\n', '400'),
  chunked('no size', '\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('a sign', '+5\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('a negative size', '-5\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('0x', '0x5\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('a blank before the size', ' 5\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('a blank behind the size', '5 \r\nhello\r\n0\r\n\r\n', '400'),
  chunked('an underscore', '0_5\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('more than 64 bits', '10000000000000005\r\nhello\r\n0\r\n\r\n', '400'),
  chunked('a request behind the end', `5\r\nhello\r\n0\r\n\r\n${HIDDEN}`, `${OK}, GET /hidden`),
  chunked('trailers', '5\r\nhello\r\n0\r\nX: y\r\n\r\n', OK),
  chunked('a trailer of another length', '5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n', '400'),
  chunked('a trailer of another coding', '5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n', '400'),
  chunked('a trailer of another host', '5\r\nhello\r\n0\r\nHost: y\r\n\r\n', OK),
  chunked('a folded trailer', '5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n', '400'),

  // whom a request is for: RFC 9112 section 3.2
  get('no Host', 'GET /a HTTP/1.1\r\nX: y', '400'),
  get('two Hosts', 'GET /a HTTP/1.1\r\nHost: x\r\nHost: y', '400'),
  get('two Hosts that are the same', 'GET /a HTTP/1.1\r\nHost: x\r\nhost: x', '400'),
  get('two Hosts in a line', 'GET /a HTTP/1.1\r\nHost: x, y', '400'),
  get('a path in Host', 'GET /a HTTP/1.1\r\nHost: x/../y', '400'),
  get('a user in Host', 'GET /a HTTP/1.1\r\nHost: x@y', '400'),
  get('an empty Host', 'GET /a HTTP/1.1\r\nHost:', '400'),
  get('a target that names another host', 'GET http://y/a HTTP/1.1\r\nHost: x', 'GET /a'),
  get('a target with a user', 'GET http://x@y/a HTTP/1.1\r\nHost: x', '400'),
  get('a target of another scheme', 'GET ftp://y/a HTTP/1.1\r\nHost: x', '400'),
  get('a target without a slash', 'GET a HTTP/1.1\r\nHost: x', '400'),
  get('two slashes', 'GET //y/a HTTP/1.1\r\nHost: x', 'GET //y/a'),

  // request lines: RFC 9112 section 3
  get('two blanks before the target', 'GET  /a HTTP/1.1\r\nHost: x', 'GET /a'),
  get('two blanks behind the target', 'GET /a  HTTP/1.1\r\nHost: x', 'GET /a'),
  get('a blank behind the version', 'GET /a HTTP/1.1 \r\nHost: x', '400'),
  get('tabs', 'GET\t/a\tHTTP/1.1\r\nHost: x', '400'),
  get('a blank in the target', 'GET /a b HTTP/1.1\r\nHost: x', '400'),
  get('a request in the target', 'GET /a HTTP/1.1\r\nX: y HTTP/1.1\r\nHost: x', 'GET /a'),
  get('a NUL in the target', 'GET /a\0b HTTP/1.1\r\nHost: x', '400'),
  get('a bare CR in the request line', 'GET /a HTTP/1.1\r\r\nHost: x', '400'),
  get('no version', 'GET /a\r\nHost: x', '400'),
  get('another version', 'GET /a HTTP/1.2\r\nHost: x', '400'),
  get('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM', '400'),
  get('a method in lower case', 'get /a HTTP/1.1\r\nHost: x', '501'),
  get('empty lines before the request', '\r\n\r\nGET /a HTTP/1.1\r\nHost: x', 'GET /a'),
  get('a blank before the request', ' GET /a HTTP/1.1\r\nHost: x', '400'),
  // no upgrade is made, and what may be for another protocol ends with the answer
  {
    name: 'an upgrade',
    bytes: `GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${HIDDEN}`,
    answers: ['GET /a'],
  },
  {
    name: 'an upgrade to HTTP/2 with a body',
    bytes:
      'POST /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n' +
      `Content-Length: 5\r\n\r\nhello${HIDDEN}`,
    answers: [OK],
  },
  { name: 'a request behind the last one', bytes: `${LAST}${HIDDEN}`, answers: ['GET /last'] },
  { name: 'HTTP/1.0 without keep-alive', bytes: `GET /a HTTP/1.0\r\n\r\n${HIDDEN}`, answers: ['GET /a'] },
  {
    name: 'a body that ends too soon',
    bytes: 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nhello',
    answers: ['400'],
  },
  {
    name: 'chunks that end too soon',
    bytes: 'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel',
    answers: ['400'],
  },
];
