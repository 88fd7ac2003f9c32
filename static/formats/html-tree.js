// HTML as a tree of plain objects, with the few members of DOM nodes that rich-text.js reads. The browser's own parser
// would apply the page's security policy to what is pasted and complain of every style in it. One pass, never throws;
// it closes paragraphs, items and cells as the HTML standard says, and knows no more of it.

/** @typedef {import('./rich-text.js').DomNode} DomNode */

/** open at once, more than editors and mail programs nest; what is deeper becomes a sibling */
const MAX_HTML_DEPTH = 64;
const ELEMENT = 1;
const TEXT = 3;
const VOID = new Set('AREA BASE BR COL EMBED HR IMG INPUT LINK META PARAM SOURCE TRACK WBR'.split(' '));
/** their content is no markup */
const RAW = new Set('SCRIPT STYLE TEXTAREA TITLE XMP IFRAME NOSCRIPT NOFRAMES'.split(' '));
const CLOSES_PARAGRAPH = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE CENTER DETAILS DIV DL FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6
  HEADER HR LI MAIN NAV OL P PRE SECTION TABLE UL`.split(/\s+/),
);
/** what a start tag ends, as far as up to one of the others is open */
const ENDS = /** @type {Record<string, [closes: string[], within: string[]]>} */ ({
  LI: [['LI'], ['UL', 'OL']],
  DT: [['DT', 'DD'], ['DL']],
  DD: [['DT', 'DD'], ['DL']],
  TD: [
    ['TD', 'TH'],
    ['TR', 'TABLE'],
  ],
  TH: [
    ['TD', 'TH'],
    ['TR', 'TABLE'],
  ],
  TR: [['TR'], ['TABLE']],
  TBODY: [['TBODY', 'THEAD', 'TFOOT'], ['TABLE']],
  TFOOT: [['TBODY', 'THEAD', 'TFOOT'], ['TABLE']],
  OPTION: [['OPTION'], ['SELECT']],
});
const TAG = /<(\/?)([a-z][a-z0-9:-]*)/iy;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/y;

/** The names that HTML has for 160 to 255, in their order, as HTML 4 has them. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute
Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(
    /\s+/,
  );
const ENTITIES = new Map([
  ...LATIN.map((name, i) => /** @type {[string, string]} */ ([name, String.fromCharCode(160 + i)])),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    hellip: '…',
    bull: '•',
    euro: '€',
    trade: '™',
  }),
  ...Object.entries({ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' }),
  ...Object.entries({
    OElig: 'Œ',
    oelig: 'œ',
    larr: '←',
    rarr: '→',
    zwnj: '\u200c',
    zwj: '\u200d',
    ensp: ' ',
    emsp: ' ',
  }),
]);

class HtmlElement {
  nodeType = ELEMENT;
  /** @type {DomNode[]} */
  childNodes = [];

  /** @param {string} nodeName upper case @param {Map<string, string>} attributes */
  constructor(nodeName, attributes) {
    this.nodeName = nodeName;
    this.attributes = attributes;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  get textContent() {
    /** @type {string[]} */
    const pieces = [];
    const look = (/** @type {DomNode} */ node) => {
      if (node.nodeType === TEXT) pieces.push(node.textContent ?? '');
      for (const child of Array.from(node.childNodes)) look(child);
    };
    look(this);
    return pieces.join('');
  }
}

/** A body with what the document holds. @param {string} html @returns {DomNode} */
export function parseHtml(html) {
  const root = new HtmlElement('BODY', new Map());
  /** @type {HtmlElement[]} */
  const open = [root];
  let at = 0;
  const addText = (/** @type {string} */ text) => {
    if (text === '') return;
    open[open.length - 1].childNodes.push({ nodeType: TEXT, nodeName: '#text', textContent: text, childNodes: [] });
  };
  while (at < html.length) {
    const tagAt = html.indexOf('<', at);
    addText(decodeEntities(html.slice(at, tagAt < 0 ? html.length : tagAt)));
    if (tagAt < 0) break;
    at = tagAt;
    if (html[at + 1] === '!' || html[at + 1] === '?') {
      at = endOfComment(html, at);
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(html);
    if (!tag) {
      addText('<');
      at++;
      continue;
    }
    const name = tag[2].toUpperCase();
    const { attributes, next } = attributesAt(html, TAG.lastIndex);
    at = next;
    if (tag[1] === '/') {
      closeTag(open, name);
      continue;
    }
    openTag(open, name, attributes);
    if (!RAW.has(name)) continue;
    const end = indexOfEnd(html, at, name);
    addText(html.slice(at, end));
    at = end;
  }
  return root;
}

/** @param {HtmlElement[]} open @param {string} name @param {Map<string, string>} attributes */
function openTag(open, name, attributes) {
  if (name === 'HTML' || name === 'BODY') return;
  if (CLOSES_PARAGRAPH.has(name) && open.some(({ nodeName }) => nodeName === 'P')) {
    endWithin(open, ['P'], ['BLOCKQUOTE', 'LI', 'TD', 'TH', 'DIV']);
  }
  const ends = ENDS[name];
  if (ends) endWithin(open, ends[0], ends[1]);
  const element = new HtmlElement(name, attributes);
  open[open.length - 1].childNodes.push(element);
  if (!VOID.has(name) && open.length < MAX_HTML_DEPTH) open.push(element);
}

/** Closes the innermost of these, unless one of the others is nearer. */
function endWithin(/** @type {HtmlElement[]} */ open, /** @type {string[]} */ names, /** @type {string[]} */ others) {
  for (let i = open.length - 1; i > 0; i--) {
    const { nodeName } = open[i];
    if (others.includes(nodeName)) return;
    if (!names.includes(nodeName)) continue;
    open.length = i;
    return;
  }
}

/** @param {HtmlElement[]} open @param {string} name */
function closeTag(open, name) {
  for (let i = open.length - 1; i > 0; i--) {
    if (open[i].nodeName !== name) continue;
    open.length = i;
    return;
  }
}

/**
 * The attributes from here, by lower case name, and what stands behind the tag.
 * @param {string} html @param {number} at
 */
function attributesAt(html, at) {
  /** @type {Map<string, string>} */
  const attributes = new Map();
  let next = at;
  while (next < html.length && html[next] !== '>') {
    ATTRIBUTE.lastIndex = next;
    const match = /[\s/]/.test(html[next]) ? null : ATTRIBUTE.exec(html);
    if (match) {
      const name = match[1].toLowerCase();
      if (!attributes.has(name)) attributes.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''));
      next = ATTRIBUTE.lastIndex;
    } else {
      next++;
    }
  }
  return { attributes, next: next + 1 };
}

/** @param {string} html @param {number} at */
function endOfComment(html, at) {
  const isComment = html.startsWith('<!--', at);
  const end = html.indexOf(isComment ? '-->' : '>', at + (isComment ? 4 : 2));
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/**
 * Where `</name` stands; the end of the text where it never comes.
 * @param {string} html @param {number} at @param {string} name
 */
function indexOfEnd(html, at, name) {
  for (let end = html.indexOf('</', at); end >= 0; end = html.indexOf('</', end + 2)) {
    if (html.slice(end + 2, end + 2 + name.length).toUpperCase() === name) return end;
  }
  return html.length;
}

/** @param {string} text */
function decodeEntities(text) {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z\d]{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '\ufffd';
  });
}
