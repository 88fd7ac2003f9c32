// What the text of a link says about where it leads.

const ADDRESS = /(?:https?:\/\/|www\.)([^\s/?#"'<>()]{1,255})/gi;
/** a text that is nothing but a host, perhaps with a path */
const HOST = /^((?:[\p{L}\p{N}-]+\.)+(\p{L}{2,24}))(?::\d{1,5})?(?:[/?#]\S*)?$/u;
/** endings of file names that look like hosts */
const FILE =
  /^(?:pdf|docx?|xlsx?|pptx?|odt|ods|txt|html?|png|jpe?g|gif|svg|zip|gz|ics|vcf|eml|csv|md|js|css|xml|json|mp[34])$/i;
/** longer texts are no addresses */
const MAX_TEXT = 2000;

/**
 * The host that a link leads to, where its text names another one. `www.` and subdomains of the same host are not
 * another one. undefined: the text names none, or that one.
 * @param {string} text
 * @param {string} href
 */
export function otherHost(text, href) {
  const target = URL.parse(href);
  if (!target || !/^https?:$/.test(target.protocol) || text.length > MAX_TEXT) return undefined;
  const named = [...text.matchAll(ADDRESS)].map((match) => hostOf(match[1] ?? ''));
  const [, host, ending = ''] = HOST.exec(text.trim()) ?? [];
  if (named.length === 0 && host && !FILE.test(ending)) named.push(host);
  const wanted = bare(target.hostname);
  const others = named.map((name) => bare(URL.parse(`http://${name}`)?.hostname ?? wanted));
  return others.some((name) => !isSame(name, wanted)) ? target.hostname : undefined;
}

/** `ann:secret@bank.example:8443` → `bank.example` @param {string} authority */
function hostOf(authority) {
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '');
}

/** @param {string} host */
function bare(host) {
  return host.replace(/^www\./, '').replace(/\.$/, '');
}

/** @param {string} one @param {string} other */
function isSame(one, other) {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
