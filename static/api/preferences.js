// What the reader has chosen for all devices: kept as properties of the own room of drafts (RFC 4918 section 4), which
// room servers other than the embedded one do not keep.

import { ROOM_MACRO } from '../../src/protocol/room-facts.ts';
import { request, roomPath } from './request.js';

const NAMESPACE = 'urn:vestibule:preferences';
const TYPE = { 'Content-Type': 'application/xml; charset=utf-8' };

/** '' where there is none, or where none can be kept. @param {string} name @param {AbortSignal} [signal] */
export async function readPreference(name, signal) {
  const body = `<propfind xmlns="DAV:"><prop><${name} xmlns="${NAMESPACE}"/></prop></propfind>`;
  const headers = { ...TYPE, Depth: '0' };
  const answer = await request(roomPath(ROOM_MACRO.drafts, ''), { method: 'PROPFIND', headers, body, signal });
  const found = propertyIn(await answer.text(), name);
  return found?.textContent ?? '';
}

/** Answers whether the server keeps it. Throws Problem. @param {string} name @param {string} value */
export async function writePreference(name, value) {
  const property = document.implementation.createDocument(NAMESPACE, name);
  property.documentElement.textContent = value;
  const xml = new XMLSerializer().serializeToString(property);
  const body = `<propertyupdate xmlns="DAV:"><set><prop>${xml}</prop></set></propertyupdate>`;
  const answer = await request(roomPath(ROOM_MACRO.drafts, ''), { method: 'PROPPATCH', headers: TYPE, body });
  const found = propertyIn(await answer.text(), name);
  return /\s200\b/.test(found?.closest('propstat')?.getElementsByTagNameNS('DAV:', 'status')[0]?.textContent ?? '');
}

/** @param {string} xml @param {string} name */
function propertyIn(xml, name) {
  const answer = new DOMParser().parseFromString(xml, 'application/xml');
  return answer.getElementsByTagNameNS(NAMESPACE, name)[0];
}
