// Reports that find people: principal-property-search, principal-search-property-set and principal-match
// (RFC 3744 sections 9.3 to 9.5). Users are found by name; their mail addresses are private.

import { AppError } from '../../errors.ts';
import { userPath } from '../../gateway/paths.ts';
import { send } from '../../http/respond.ts';
import { MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../limits/dav.ts';
import { matchesText, type TextMatch } from '../../mime/objects/text-match.ts';
import { findUsers, type ListedUser, ownAddresses } from '../../room-server/users.ts';
import { inTurns } from '../../system/turn-queue.ts';
import { describer, isMinimalWanted, needsOf, parseWanted } from '../describer.ts';
import { findPrincipal, principalResource } from '../discovery.ts';
import { sendReport } from '../multistatus.ts';
import { propertyKey, type Resource } from '../resource.ts';
import { childNamed, childrenNamed, expandedName, type XmlElement } from '../xml-read.ts';
import { document, element, elementWith } from '../xml-write.ts';
import type { ReportRequest } from './answer.ts';

const DISPLAY_NAME = propertyKey(expandedName('D:displayname'));
const ADDRESSES = propertyKey(expandedName('C:calendar-user-address-set'));

interface PropertySearch {
  properties: string[];
  match: TextMatch;
}

/** Throws bad_request. */
export async function answerPrincipalSearch({ exchange, app, caller, viewer, root }: ReportRequest): Promise<void> {
  const searches = childrenNamed(root, 'D:property-search').map(readSearch);
  if (searches.length === 0) throw new AppError('bad_request', 'Send a D:property-search.');
  if (searches.length > MAX_FILTER_ELEMENTS)
    throw new AppError('bad_request', 'There are too many property-search elements.');
  // an extension of RFC 3744 that clients use to find a word in any of several properties
  const isAny = root.attributes.get('test') === 'anyof';
  const wanted = parseWanted(root) ?? { kind: 'some', properties: [] };
  const users = await findUsers(app.pool, caller.identity, '');
  const addresses = await ownAddresses(app.pool, caller.identity);
  const describe = describer(wanted, viewer, { isMinimal: isMinimalWanted(exchange) });
  const responses = inTurns([users], ({ name }: ListedUser) => {
    const principal = principalResource(userPath(app, name), name, viewer.principal, addresses);
    const passes = (search: PropertySearch) => isFound(principal, search);
    return (isAny ? searches.some(passes) : searches.every(passes)) ? describe(principal) : undefined;
  });
  return sendReport(exchange, responses);
}

function readSearch(search: XmlElement): PropertySearch {
  const prop = childNamed(search, 'D:prop');
  const match = childNamed(search, 'D:match');
  if (!prop || !match) throw new AppError('bad_request', 'A property-search needs a prop and a match.');
  if (match.text.length > MAX_MATCH_TEXT_CHARACTERS)
    throw new AppError('bad_request', 'The text of a match is too long.');
  const type = match.attributes.get('match-type');
  return {
    properties: [...new Set(prop.children.map(propertyKey))],
    match: {
      text: match.text.trim(),
      collation: 'i;unicode-casemap',
      matchType: type === 'equals' || type === 'starts-with' || type === 'ends-with' ? type : 'contains',
      isNegated: false,
    },
  };
}

/** In each of the properties that the search names (RFC 3744 section 9.4). */
function isFound({ displayName, addresses = [], href }: Resource, { properties, match }: PropertySearch): boolean {
  return properties.every((property) => {
    if (property === DISPLAY_NAME) return matchesText(match, displayName);
    if (property !== ADDRESSES) return false;
    return [...addresses.map((address) => `mailto:${address}`), ...addresses, href].some((one) =>
      matchesText(match, one),
    );
  });
}

/** The properties that can be searched. */
export async function answerSearchProperties({ exchange }: ReportRequest): Promise<void> {
  const body = document(
    'D:principal-search-property-set',
    searchProperty('D:displayname', 'Name of a user'),
    searchProperty('C:calendar-user-address-set', 'Mail address'),
  );
  await send(exchange, 200, { type: 'application/xml; charset=utf-8', body });
}

function searchProperty(name: string, description: string) {
  return element(
    'D:principal-search-property',
    element('D:prop', element(name)),
    elementWith('D:description', { 'xml:lang': 'en' }, description),
  );
}

/** The caller among all principals; only D:self is supported. Throws bad_request. */
export async function answerPrincipalMatch({ exchange, app, caller, viewer, root }: ReportRequest): Promise<void> {
  if (!childNamed(root, 'D:self')) throw new AppError('bad_request', 'principal-match supports D:self only.');
  const wanted = parseWanted(root) ?? { kind: 'some', properties: [] };
  const { name } = await app.pool.identify(caller.identity);
  const principal = await findPrincipal(app, caller, name, needsOf(wanted));
  const response = describer(wanted, viewer, { isMinimal: isMinimalWanted(exchange) })(principal);
  return sendReport(exchange, [[response]]);
}
