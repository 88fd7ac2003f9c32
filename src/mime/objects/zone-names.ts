// Time zones by whatever programs call them where they bring no VTIMEZONE: IANA names, those of Windows, offsets, and
// the words that Outlook shows.

import { MAX_ZONE_NAME_CHARACTERS } from '../../limits/mime.ts';
import { namedZone } from './named-zones.ts';
import { fixedZone, UTC, type Zone } from './offsets.ts';

/** by area: the city of each IANA zone, and the names of Windows without `Standard Time` (Unicode CLDR, windowsZones) */
const WINDOWS: Readonly<Record<string, string>> = {
  Africa: `
    Cairo: Egypt; Casablanca: Morocco; Johannesburg: South Africa; Juba: South Sudan; Khartoum: Sudan; Lagos: W.
    Central Africa; Nairobi: E. Africa; Sao_Tome: Sao Tome; Tripoli: Libya; Windhoek: Namibia
  `,
  America: `
    Adak: Aleutian; Anchorage: Alaska, Alaskan; Araguaina: Tocantins; Asuncion: Paraguay; Bahia: Bahia; Bogota: SA
    Pacific; Buenos_Aires: Argentina; Cancun: Eastern (Mexico); Caracas: Venezuela; Cayenne: SA Eastern; Chicago:
    Central; Cuiaba: Central Brazilian; Denver: Mountain; Godthab: Greenland; Grand_Turk: Turks And Caicos;
    Guatemala: Central America; Halifax: Atlantic; Havana: Cuba; Indianapolis: Indiana (East), US Eastern; La_Paz:
    SA Western; Los_Angeles: Pacific; Mazatlan: Mountain (Mexico); Mexico_City: Central (Mexico); Miquelon: Saint
    Pierre, Saint Pierre and Miquelon; Montevideo: Montevideo; New_York: Eastern; Phoenix: Arizona, US Mountain;
    Port-au-Prince: Haiti; Punta_Arenas: Magallanes; Regina: Canada Central, Saskatchewan; Santiago: Pacific SA;
    Sao_Paulo: E. South America; St_Johns: Newfoundland; Tijuana: Baja California, Pacific (Mexico); Whitehorse:
    Yukon
  `,
  Asia: `
    Amman: Jordan; Baghdad: Arabic; Baku: Azerbaijan; Bangkok: SE Asia; Barnaul: Altai; Beirut: Middle East;
    Bishkek: Central Asia; Calcutta: India; Chita: Transbaikal; Colombo: Sri Lanka; Damascus: Syria; Dhaka:
    Bangladesh; Dubai: Arabian; Hebron: West Bank; Hovd: W. Mongolia; Irkutsk: North Asia East; Jerusalem: Israel;
    Kabul: Afghanistan; Kamchatka: Russia Time Zone 11; Karachi: Pakistan; Katmandu: Nepal; Krasnoyarsk: North Asia;
    Magadan: Magadan; Novosibirsk: N. Central Asia; Omsk: Omsk; Pyongyang: North Korea; Qyzylorda: Qyzylorda;
    Rangoon: Myanmar; Riyadh: Arab; Sakhalin: Sakhalin; Seoul: Korea; Shanghai: China; Singapore: Singapore;
    Srednekolymsk: Russia Time Zone 10; Taipei: Taipei; Tashkent: West Asia; Tbilisi: Georgian; Tehran: Iran; Tokyo:
    Tokyo; Tomsk: Tomsk; Ulaanbaatar: Ulaanbaatar; Vladivostok: Vladivostok; Yakutsk: Yakutsk; Yekaterinburg:
    Ekaterinburg; Yerevan: Caucasus
  `,
  Atlantic: `
    Azores: Azores; Cape_Verde: Cape Verde; Reykjavik: Greenwich
  `,
  Australia: `
    Adelaide: Cen. Australia; Brisbane: E. Australia; Darwin: AUS Central; Eucla: Aus Central W.; Hobart: Tasmania;
    Lord_Howe: Lord Howe; Perth: W. Australia; Sydney: AUS Eastern
  `,
  Etc: `
    GMT+12: Dateline; UTC: Coordinated Universal
  `,
  Europe: `
    Astrakhan: Astrakhan; Berlin: W. Europe; Bucharest: GTB; Budapest: Central Europe; Chisinau: E. Europe;
    Istanbul: Turkey; Kaliningrad: Kaliningrad; Kiev: FLE; London: GMT; Minsk: Belarus; Moscow: Russian; Paris:
    Romance; Samara: Russia Time Zone 3; Saratov: Saratov; Volgograd: Volgograd; Warsaw: Central European
  `,
  Indian: `
    Mauritius: Mauritius
  `,
  Pacific: `
    Apia: Samoa; Auckland: New Zealand; Bougainville: Bougainville; Chatham: Chatham Islands; Easter: Easter Island;
    Fiji: Fiji; Guadalcanal: Central Pacific; Honolulu: Hawaiian; Kiritimati: Line Islands; Marquesas: Marquesas;
    Norfolk: Norfolk; Port_Moresby: West Pacific; Tongatapu: Tonga
  `,
};

/** when a zone is compared with an offset */
const TODAY = Date.UTC(2026, 0, 1) / 1000;

/**
 * `Europe/Berlin`, `W. Europe Standard Time`, `Eastern Time (US & Canada)`, `GMT+05:00`,
 * `(UTC+01:00) Amsterdam, Berlin, Bern`. undefined for unknown names.
 */
export function zoneCalled(name: string): Zone | undefined {
  const named = namedZone(name);
  if (named || name.length > MAX_ZONE_NAME_CHARACTERS) return named;
  const match = /^\(?(?:UTC|GMT)? ?([+-]\d{1,2})(?:[:.]?(\d\d))?\)?(.*)$|^\((?:UTC|GMT)\)(.*)$/is.exec(name);
  const offset = match ? offsetOf(match[1] ?? '0', Number(match[2] ?? 0)) : undefined;
  const places = match ? (match[3] ?? match[4]!) : name;
  for (const place of [places, ...places.split(/[,/]/)]) {
    const zone = namedZone(placeNames().get(placeKey(place)) ?? '');
    if (zone && (offset === undefined || offsetsOf(zone).includes(offset))) return zone;
  }
  return offset === undefined ? undefined : zoneOfOffset(offset);
}

/** `+05`, 30 → 19800 */
function offsetOf(hours: string, minutes: number): number {
  return (Number(hours) * 60 + (hours.startsWith('-') ? -minutes : minutes)) * 60;
}

function offsetsOf(zone: Zone): number[] {
  const { first, changes } = zone.near(TODAY);
  return [first, ...changes.map(({ after }) => after)];
}

/** By an IANA name where there is one, whose sign is the other way round. */
function zoneOfOffset(offset: number): Zone | undefined {
  const hours = offset / 3600;
  if (Math.abs(hours) >= 24) return undefined;
  if (hours === 0) return UTC;
  const named = namedZone(`Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`);
  const [whole, rest] = [Math.floor(Math.abs(hours)), (Math.abs(offset) / 60) % 60].map((one) =>
    `${one}`.padStart(2, '0'),
  );
  return named ?? fixedZone(`UTC${hours > 0 ? '+' : '-'}${whole}:${rest}`, offset);
}

let places: Map<string, string> | undefined;

/** cities of the IANA names, and the names of Windows → IANA name */
function placeNames(): ReadonlyMap<string, string> {
  if (places) return places;
  places = new Map(Intl.supportedValuesOf('timeZone').map((name) => [placeKey(name.split('/').at(-1)!), name]));
  for (const [area, text] of Object.entries(WINDOWS)) {
    for (const entry of text.split(';')) {
      const [city = '', names = ''] = entry.split(':');
      for (const name of names.split(',')) places.set(placeKey(name), `${area}/${city.trim()}`);
    }
  }
  return places;
}

/** `W. Europe Standard Time`, `Eastern Time (US & Canada)`, `Sao_Paulo` → `W. EUROPE`, `EASTERN`, `SAO PAULO` */
function placeKey(name: string): string {
  return name
    .toUpperCase()
    .replace(/[_\s]+/g, ' ')
    .trim()
    .replace(/ \((?:US & )?CANADA\)$/, '')
    .replace(/ (?:STANDARD |DAYLIGHT |SUMMER )?TIME(?: \d)?(?= \(MEXICO\)$|$)/, '')
    .replace(/ ISLANDS?$/, '');
}
