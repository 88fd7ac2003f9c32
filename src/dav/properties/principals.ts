// Live properties by which a client finds its way from any address to its calendars and address books: RFC 5397
// (current-user-principal), RFC 3744 sections 4 and 5 (principals, owner, privileges), the home sets of
// RFC 4791 section 6.2.1 and RFC 6352 section 7.1.1, the addresses of RFC 6638 section 2.4.

import { privilegeSet, SUPPORTED_PRIVILEGES } from '../privileges.ts';
import type { Resource } from '../resource.ts';
import { element } from '../xml-write.ts';
import { hrefElement, type PropertyTable } from './live-property.ts';

const isPrincipal = ({ kind }: Resource) => kind === 'principal';
/** Its own homes are nobody else's business: all rooms that one may see are below one's own. */
const isOwnPrincipal = ({ kind, isOwn }: Resource) => kind === 'principal' && isOwn === true;

const NO_MEMBERSHIP = element('D:group-membership');
const NO_OTHER_ADDRESSES = element('D:alternate-URI-set');
const INDIVIDUAL = element('C:calendar-user-type', 'INDIVIDUAL');

export const PRINCIPAL_PROPERTIES: PropertyTable = {
  'D:current-user-principal': { elementOf: (_, { principal }) => hrefElement('D:current-user-principal', principal) },
  'D:principal-collection-set': {
    elementOf: (_, { prefix }) => hrefElement('D:principal-collection-set', `${prefix}u/`),
  },
  'D:current-user-privilege-set': {
    needs: 'privileges',
    elementOf: ({ privileges }) => (privileges === undefined ? undefined : privilegeSet(privileges)),
  },
  'D:supported-privilege-set': { elementOf: () => SUPPORTED_PRIVILEGES },
  'D:owner': {
    isOn: ({ isOwn }) => isOwn === true,
    elementOf: (_, { principal }) => hrefElement('D:owner', principal),
  },
  'D:principal-URL': {
    isOn: isPrincipal,
    // in the one spelling that other properties have, however the client has asked
    elementOf: ({ isOwn, href }, { principal }) => hrefElement('D:principal-URL', isOwn ? principal : href),
  },
  'D:alternate-URI-set': { isOn: isPrincipal, elementOf: () => NO_OTHER_ADDRESSES },
  'D:group-membership': { isOn: isPrincipal, elementOf: () => NO_MEMBERSHIP },
  'C:calendar-home-set': {
    isOn: isOwnPrincipal,
    elementOf: (_, { prefix }) => hrefElement('C:calendar-home-set', `${prefix}r/`),
  },
  'CR:addressbook-home-set': {
    isOn: isOwnPrincipal,
    elementOf: (_, { prefix }) => hrefElement('CR:addressbook-home-set', `${prefix}r/`),
  },
  'C:calendar-user-type': { isOn: isPrincipal, elementOf: () => INDIVIDUAL },
  'C:calendar-user-address-set': {
    needs: 'addresses',
    isOn: isPrincipal,
    elementOf: ({ addresses, href }) =>
      hrefElement('C:calendar-user-address-set', ...(addresses ?? []).map((address) => `mailto:${address}`), href),
  },
};
