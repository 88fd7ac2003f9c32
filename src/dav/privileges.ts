// The privileges of RFC 3744 section 3 as elements: what the caller has on a resource, and which there are.

import { PRIVILEGE } from '../gateway/rights.ts';
import { element, elementWith, type Markup } from './xml-write.ts';

/** with the privileges that contain them behind them: a client asks for the one or for the others */
const ELEMENTS: readonly (readonly [bits: number, name: string])[] = [
  [PRIVILEGE.read, 'D:read'],
  [PRIVILEGE.readFreeBusy, 'C:read-free-busy'],
  [PRIVILEGE.read, 'D:read-current-user-privilege-set'],
  [PRIVILEGE.write, 'D:write'],
  [PRIVILEGE.writeProperties, 'D:write-properties'],
  [PRIVILEGE.writeContent, 'D:write-content'],
  [PRIVILEGE.bind, 'D:bind'],
  [PRIVILEGE.unbind, 'D:unbind'],
  [PRIVILEGE.unlock, 'D:unlock'],
];

const SETS = new Map<number, Markup>();

/** D:current-user-privilege-set of bits of PRIVILEGE (RFC 3744 section 5.4) */
export function privilegeSet(privileges: number): Markup {
  return SETS.getOrInsertComputed(privileges, () =>
    element(
      'D:current-user-privilege-set',
      ...ELEMENTS.flatMap(([bits, name]) =>
        (privileges & bits) === bits ? element('D:privilege', element(name)) : [],
      ),
    ),
  );
}

/** D:supported-privilege-set (RFC 3744 section 5.3) */
export const SUPPORTED_PRIVILEGES: Markup = element(
  'D:supported-privilege-set',
  supported(
    'D:all',
    'Everything',
    supported(
      'D:read',
      'Read',
      supported('C:read-free-busy', 'Read busy times'),
      supported('D:read-current-user-privilege-set', 'Read the own privileges'),
    ),
    supported(
      'D:write',
      'Write',
      supported('D:write-properties', 'Set properties'),
      supported('D:write-content', 'Replace what is there'),
      supported('D:bind', 'Add members'),
      supported('D:unbind', 'Remove members'),
      supported('D:unlock', 'Remove locks'),
    ),
  ),
);

function supported(name: string, description: string, ...contained: Markup[]): Markup {
  return element(
    'D:supported-privilege',
    element('D:privilege', element(name)),
    elementWith('D:description', { 'xml:lang': 'en' }, description),
    ...contained,
  );
}
