// Repeat rules in words, in the four languages, and as a form holds them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { readRepeat, repeatText, writeRepeat } from '../../../static/formats/repeat.js';

type Words = Record<string, string | Record<string, string>>;

/** As core/i18n.js does, which needs a browser. */
async function languageOf(locale: string) {
  const { words } = (await import(`../../../static/words/${locale}.js`)) as { words: Words };
  const plurals = new Intl.PluralRules(locale);
  const t = (name: string, values: Record<string, string | number> = {}) => {
    const found = words[name]!;
    const text = typeof found === 'string' ? found : (found[plurals.select(Number(values.count))] ?? found.other!);
    return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
  };
  return { t, locale };
}
const said = async (rule: string) =>
  Promise.all(['en', 'de', 'fr', 'es'].map(async (locale) => repeatText(rule, await languageOf(locale)) as string));

describe('repeat rules', () => {
  it('are said in four languages', async () => {
    assert.deepEqual(await said('FREQ=WEEKLY;BYDAY=MO,FR;COUNT=10'), [
      'every week on Monday and Friday, 10 times',
      'jede Woche am Montag und Freitag, 10-mal',
      'chaque semaine, le lundi et vendredi, 10 fois',
      'cada semana, el lunes y viernes, 10 veces',
    ]);
    assert.deepEqual(await said('FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR'), [
      'every 2 months on the last Friday',
      'alle 2 Monate am letzten Freitag',
      'tous les 2 mois, le dernier vendredi',
      'cada 2 meses, el último viernes',
    ]);
    assert.deepEqual(
      (await said('FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=14;UNTIL=20301231'))[0],
      'every year on May 14, until December 31, 2030',
    );
    assert.equal((await said('FREQ=MONTHLY;BYMONTHDAY=-1'))[1], 'jeden Monat am letzten Tag');
    assert.equal((await said('FREQ=DAILY;BYHOUR=1,2'))[2], 'selon une règle particulière');
    assert.equal((await said('nonsense'))[3], 'según una regla particular');
  });

  it('go through a form and come out the same', () => {
    const start = { day: '2026-05-14', time: '10:00', zone: 'Europe/Berlin' };
    for (const rule of [
      'FREQ=DAILY',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=5',
      'FREQ=MONTHLY;BYDAY=2TU',
      'FREQ=MONTHLY;BYMONTHDAY=31',
      'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=14',
      'FREQ=DAILY;UNTIL=20260601T215959Z',
    ]) {
      assert.equal(writeRepeat(readRepeat(rule), start, 'UTC'), rule);
    }
    const until = { frequency: 'DAILY', until: '2026-06-01' };
    assert.equal(writeRepeat(until, { day: '2026-05-14' }, 'UTC'), 'FREQ=DAILY;UNTIL=20260601');
    for (const rule of ['FREQ=HOURLY', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2', 'FREQ=MONTHLY;BYMONTHDAY=1,2', '']) {
      assert.equal(readRepeat(rule), undefined, rule);
    }
  });

  it('all languages have the same words', async () => {
    const names = await Promise.all(
      ['en', 'de', 'fr', 'es'].map(async (locale) =>
        Object.keys(((await import(`../../../static/words/${locale}.js`)) as { words: Words }).words),
      ),
    );
    for (const each of names) {
      assert.deepEqual(each, names[0]);
      assert.deepEqual(each, [...each].sort());
    }
  });
});
