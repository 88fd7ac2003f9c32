// Live properties of RFC 4331: what a collection takes, and what can still be stored. There is no bound but the disk of
// an embedded room server; any other one tells nothing.

import { isCollection, type Resource } from '../resource.ts';
import { optional, type PropertyTable } from './live-property.ts';

export const QUOTA_PROPERTIES: PropertyTable = {
  'D:quota-available-bytes': {
    needs: 'quota',
    isOn: isCollection,
    elementOf: ({ quota }: Resource) => optional('D:quota-available-bytes', quota?.available),
  },
  'D:quota-used-bytes': {
    needs: 'quota',
    isOn: isCollection,
    elementOf: ({ quota }: Resource) => optional('D:quota-used-bytes', quota?.used),
  },
};
