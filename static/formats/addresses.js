// Lists of recipients as people type and paste them: `Ann <ann@x.example>, "Doe, Joe" <joe@x.example>; bob`
// (RFC 5322 section 3.4, as far as people write it).

/** @typedef {{ name: string, address: string }} Recipient the name is '' where only an address was written */

/** The pieces between commas, semicolons and line ends that stand neither in quotes nor in angle brackets. */
export function splitRecipients(/** @type {string} */ text) {
  /** @type {string[]} */
  const pieces = [];
  let start = 0;
  let isQuoted = false;
  let isInside = false;
  const take = (/** @type {number} */ end) => {
    const piece = text.slice(start, end).trim();
    if (piece !== '') pieces.push(piece);
    start = end + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\n' || (!isQuoted && !isInside && (char === ',' || char === ';'))) {
      // a line end closes whatever was forgotten to be closed
      take(at);
      isQuoted = false;
      isInside = false;
    } else if (char === '\\' && isQuoted) {
      at++;
    } else if (char === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && (char === '<' || char === '>')) {
      isInside = char === '<';
    }
  }
  take(text.length);
  return pieces;
}

/** `"Doe, Joe" <joe@x.example>` → `Doe, Joe` and the address. @param {string} text @returns {Recipient} */
export function parseRecipient(text) {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('<');
  if (open < 0 || !trimmed.endsWith('>')) return { name: '', address: trimmed };
  const name = trimmed.slice(0, open).trim();
  const bare = name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  return { name: bare.replaceAll(/\\(.)/g, '$1'), address: trimmed.slice(open + 1, -1).trim() };
}

/** The other way round; a name is quoted where it must be. @param {Recipient} recipient */
export function writeRecipient({ name, address }) {
  if (name === '') return address;
  const isPlain = /^[\p{L}\p{N} '_-]+$/u.test(name);
  return `${isPlain ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`} <${address}>`;
}

/**
 * Whether something could reach a person: a name without control characters, quotes and brackets, or an address with
 * one @ between two parts. Whether the person exists only the server knows.
 * @param {string} text
 */
export function isRecipient(text) {
  const { name, address } = parseRecipient(text);
  if (/[\x00-\x1f<>]/.test(name + address) || address === '') return false;
  if (!address.includes('@')) return name === '' && !/["(),:;\\[\]]/.test(address);
  return /^[^\s"(),:;\\@[\]]+@[^\s"(),:;\\@[\]]+$/.test(address);
}

/**
 * Those whom half a name means, the likeliest first: it begins a word of the name or the address, then it stands
 * inside; what only the domain holds counts where there is nobody else.
 * @template {{ name: string, addr: string }} S
 * @param {S[]} found in the order of the server
 * @param {string} words
 */
export function likeliest(found, words) {
  const wanted = words.trim().toLocaleLowerCase();
  const ranked = found
    .map((each) => ({ each, rank: rankOf(each, wanted) }))
    .sort((one, other) => one.rank - other.rank);
  const near = ranked.filter(({ rank }) => rank < FAR);
  return (near.length > 0 ? near : ranked).map(({ each }) => each);
}

const FAR = 2;

/** @param {{ name: string, addr: string }} suggestion @param {string} wanted */
function rankOf({ name, addr }, wanted) {
  const local = wanted.includes('@') ? addr : addr.replace(/@.*/, '');
  const texts = [name, local].map((text) => text.toLocaleLowerCase());
  const begins = (/** @type {string} */ text) =>
    text.startsWith(wanted) || text.replaceAll(/[._-]/g, ' ').includes(` ${wanted}`);
  if (texts.some(begins)) return 0;
  return texts.some((text) => text.includes(wanted)) ? 1 : FAR;
}
