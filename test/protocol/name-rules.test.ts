// Which names of rooms and floors can be told apart by looking at them, and which cannot.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areAlike, areUsersAlike, foldName, lookKey, nameFault, userLookKey } from '../../src/protocol/name-rules.ts';

const HIDDEN = /invisible/;
const MARK = /mark/;
const MIXED = /alphabets/;

describe('a name', () => {
  it('may be written in any alphabet, with accents, signs, punctuation and emoji', () => {
    const names = [
      ...[
        'Lobby',
        'Größe a/b <x> ☃',
        'Tiếng Việt',
        'C++ & C#',
        'L’été',
        'Part Ⅳ, § 12 №5',
        'x² ½ µTorrent',
        'a—b “q”…',
      ],
      ...['日本語の部屋', 'Java入門', 'K팝 방', 'カタカナ ノート', 'ㄅㄆㄇ', 'Привет мир', 'Vue-просмотр', 'Ελληνικά'],
      ...['שָׁלוֹם', 'مُحَمَّد', 'غرفة ١', 'ที่นี่', 'हिन्दी', 'தமிழ்', 'አማርኛ', 'ქართული', 'Հայերեն', 'ᏣᎳᎩ', 'ខ្មែរ'],
      ...['Família 👨‍👩‍👧‍👦', '🏳️‍🌈 pride', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️ love', '1️⃣ one', '👩🏽‍🚒', '🇩🇪', '☺︎'],
      // joiners where the letters need them: Persian, Hindi, Sinhala, Bengali
      ...['می‌خواهم', 'दानिश्‌मंद', 'क्‍ष', 'ශ්‍රී', 'র‍্য'],
    ];
    for (const name of names) assert.equal(nameFault(foldName(name)), undefined, name);
  });

  it('holds nothing that does not show, or turns the direction of what is beside it', () => {
    const names = [
      ...['Lob\u200Bby', 'Lobby\u202E', '\u2066Lobby\u2069', '\uFEFFLobby', 'Lo\u00ADbby', 'Lo\u2060bby', 'a\u034Fb'],
      ...[
        '\u3164',
        '\u115Fx',
        'x\u17B4',
        '\u2800',
        '\u180Ex',
        'x\u0007',
        'a\tb',
        'a\u0085b',
        'a\u2028b',
        'a\u{1D173}b',
      ],
      ...[
        '\uE000',
        '\u{F0000}',
        'x\u0378',
        '\uFFFF',
        '\u{1FFFE}',
        '\uD800',
        '\uFFF9x',
        '\uFFFC',
        '\uFFFD',
        '\u{E0041}x',
      ],
    ];
    for (const name of names) assert.match(nameFault(foldName(name)) ?? '', HIDDEN, JSON.stringify(name));
  });

  it('has joiners and variation selectors only where they have a meaning', () => {
    const names = [
      ...[
        'a\u200Db',
        'a\u200Cb',
        '\u200Cا',
        'ا\u200C',
        'क\u200Cष',
        '\u200D👩',
        '👩\u200D',
        '👩\u200D\u200D🚒',
        'я\u200Dя',
      ],
      ...['a\uFE0F', '1\uFE0F', 'Lobby\uFE0E', '❤\uFE0F\uFE0F', '\uFE0F❤', '🏴\u{E0067}', '🏴\u{E007F}'],
    ];
    for (const name of names) assert.match(nameFault(foldName(name)) ?? '', HIDDEN, JSON.stringify(name));
  });

  it('has each mark on a letter, and none twice', () => {
    for (const name of ['\u0301abc', 'a \u0301b', '(\u0323)', 'a\u0301\u0301', 'x\u0323\u0323']) {
      assert.match(nameFault(foldName(name)) ?? '', MARK, JSON.stringify(name));
    }
  });

  it('mixes no alphabets in a word, unless they are written together', () => {
    for (const name of [
      'Lоbby',
      'Αlice',
      'Lobbу',
      'ѕcope',
      'ꓡobby',
      'Ꮮobby',
      'a b cԁ',
      'μm',
      'лодkа',
      'Օld',
      'Δέλτa',
    ]) {
      assert.match(nameFault(foldName(name)) ?? '', MIXED, name);
    }
  });

  it('is kept composed, with single spaces between its words', () => {
    for (const [given, kept] of [
      ['  Town \u00A0 Square\u3000', 'Town Square'],
      ['Lobby\u2003', 'Lobby'],
      ['Cafe\u0301', 'Café'],
      ['\u1680 \u205F', ''],
      ['Ångström', 'Ångström'],
    ] as const) {
      assert.equal(foldName(given), kept);
      assert.equal(foldName(kept), kept);
    }
  });
});

describe('two names', () => {
  it('are taken for each other that differ by case, by variants of letters, or by letters that look alike', () => {
    const pairs = [
      ...['Lobby lobby', 'Lobby L0bby', 'Lobby Ｌｏｂｂｙ', 'Lobby 𝐋𝐨𝐛𝐛𝐲', 'Lobby Ⓛobby', 'LOBBY ꓡꓳꓐꓐꓬ', 'file ﬁle'],
      ...[
        'HOME ΗΟΜΕ',
        'COPE СОРЕ',
        'TEST ТЕЅТ',
        'scope ѕсоре',
        'ЛЕС лес',
        'Город город',
        'Ιδέα ιδέα',
        'Іван іван',
        'IDÉAS idéas',
      ],
      ...[
        'alice aIice',
        'alice a1ice',
        'alice al1ce',
        'Aide A1de',
        'Mail Mai1',
        'Mail Ma|l',
        'Mail Rnail',
        'admin adrnin',
        'www vvww',
      ],
      ...[
        'Town-Square Town–Square',
        "Bob's Bob’s",
        'a/b a∕b',
        'ニ 二',
        'ロ 口',
        'کتاب كتاب',
        '❤️ ❤',
        '１ 1',
        'Oslo 0slo',
      ],
    ];
    for (const pair of pairs) {
      const [one, other] = pair.split(' ') as [string, string];
      assert.ok(areAlike(one, other), pair);
      assert.equal(lookKey(one), lookKey(other), pair);
    }
    // what a screen shows of them is the same
    assert.ok(areAlike('می‌خواهم', 'میخواهم'));
    assert.ok(areAlike('Town Square', ' Town\u00A0Square'));
  });

  it('are told apart by words, digits and accents', () => {
    for (const pair of [
      'Mail Mall',
      'Café Cafe',
      'Room2 Room3',
      'Lobby Lobbi',
      'résumé resume',
      'fall fail',
      'Bo Boo',
    ]) {
      const [one, other] = pair.split(' ') as [string, string];
      assert.ok(!areAlike(one, other), pair);
    }
    assert.ok(!areAlike('TownSquare', 'Town Square'));
  });

  it('of accounts are compared by their letters and digits', () => {
    assert.ok(areUsersAlike('a.l-i ce', 'AIice'));
    assert.equal(userLookKey('a.l-i ce'), userLookKey('AIice'));
    assert.ok(!areUsersAlike('alice', 'alise'));
  });
});
