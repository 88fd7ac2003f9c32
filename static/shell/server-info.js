// What the server is called, and whether guests may look around.

import { getJson } from '../api/request.js';
import { byId } from '../core/dom.js';

const UNNAMED = 'Message rooms';
let siteName = UNNAMED;

/** Answers whether guests may read. A server that tells nothing to strangers gets a name of no meaning. */
export async function readServerInfo() {
  const info = await getJson('../c/info').catch(() => ({}));
  siteName = info.serv_humannode || UNNAMED;
  byId('site').textContent = siteName;
  setTitle();
  return info.serv_supports_guest;
}

/**
 * The document's title: what is shown first, the site's name last.
 * @param {string[]} names
 */
export function setTitle(...names) {
  document.title = [...names, siteName].join(' – ');
}
