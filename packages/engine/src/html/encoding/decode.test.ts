import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBody } from './decode.ts';
import type { DecodedBody } from './decode.ts';

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Bytes of `text` in a legacy encoding, by turning its decoder round. */
function encodeAs(text: string, encoding: string): Uint8Array {
  const table = inverseTable(encoding);
  return Uint8Array.from([...text].flatMap((character) => table.get(character) ?? [...utf8(character)]));
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function inverseTable(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\u{fffd}' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add([byte]);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  tables.set(encoding, table);
  return table;
}

interface Case {
  readonly name: string;
  readonly body: Uint8Array;
  readonly type?: string;
  readonly want: Partial<DecodedBody>;
}

const DECLARED: readonly Case[] = [
  {
    name: 'a UTF-8 BOM wins over header and meta',
    body: utf8('\u{feff}<meta charset=koi8-r>é'),
    type: 'text/html; charset=windows-1251',
    want: { encoding: 'utf-8', source: 'bom', html: '<meta charset=koi8-r>é' },
  },
  { name: 'a UTF-16LE BOM', body: Uint8Array.of(0xff, 0xfe, 0x41, 0), want: { encoding: 'utf-16le', source: 'bom', html: 'A' } },
  { name: 'a UTF-16BE BOM', body: Uint8Array.of(0xfe, 0xff, 0, 0x41), want: { encoding: 'utf-16be', source: 'bom', html: 'A' } },
  {
    name: 'the header wins over meta',
    body: latin1('<meta charset=utf-8>\xe9'),
    type: 'text/html; charset=iso-8859-1',
    want: { encoding: 'windows-1252', source: 'header', html: '<meta charset=utf-8>é' },
  },
  {
    name: 'a quoted header',
    body: latin1('\xd0'),
    type: 'text/html;CHARSET="Windows-1251"',
    want: { encoding: 'windows-1251', source: 'header', html: 'Р' },
  },
  {
    name: 'an unknown header label gives way to meta',
    body: latin1('<meta charset=koi8-r>\xcf'),
    type: 'text/html; charset=foo',
    want: { encoding: 'koi8-r', source: 'meta', html: '<meta charset=koi8-r>о' },
  },
  {
    name: 'meta by http-equiv',
    body: latin1('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">\x83e'),
    want: { encoding: 'shift_jis', source: 'meta' },
  },
  {
    name: 'meta that says utf-16 means utf-8',
    body: utf8('<meta charset=utf-16>é'),
    want: { encoding: 'utf-8', source: 'meta', html: '<meta charset=utf-16>é' },
  },
  {
    name: 'meta in a comment does not count',
    body: utf8('<!-- <meta charset=koi8-r> --><p>é'),
    want: { encoding: 'utf-8', source: 'sniff' },
  },
  {
    name: 'meta behind a long head counts',
    body: latin1(`<head><script>${'x'.repeat(20_000)}</script><meta charset=koi8-r>\xcf`),
    want: { encoding: 'koi8-r', source: 'meta' },
  },
  {
    name: '2 MB before meta: the letters decide',
    body: utf8(`<!--${'x'.repeat(2_000_000)}--><meta charset=koi8-r><p>é`),
    want: { encoding: 'utf-8', source: 'sniff' },
  },
  {
    name: 'an XML declaration',
    body: latin1('<?xml version="1.0" encoding="windows-1251"?>\xd0'),
    want: { encoding: 'windows-1251', source: 'meta' },
  },
  {
    name: 'utf-7 is unknown and stays text',
    body: latin1('+ADw-script+AD4-'),
    type: 'text/html; charset=utf-7',
    want: { html: '+ADw-script+AD4-' },
  },
  {
    name: 'iso-2022-kr is refused as browsers refuse it',
    body: latin1('\x1b$)Cabc'),
    type: 'text/html; charset=iso-2022-kr',
    want: { encoding: 'replacement', html: '\u{fffd}' },
  },
  {
    name: 'gb18030 with four bytes',
    body: Uint8Array.of(0x81, 0x30, 0x81, 0x30),
    type: 'text/html; charset=gb18030',
    want: { encoding: 'gb18030', html: '\u{80}' },
  },
  {
    name: 'invalid bytes in declared UTF-8 become U+FFFD',
    body: Uint8Array.of(0x61, 0xff, 0x62),
    type: 'text/html; charset=utf-8',
    want: { html: 'a\u{fffd}b', source: 'header' },
  },
  { name: 'x-user-defined keeps its ASCII', body: latin1('<p>ok'), type: 'text/html; charset=x-user-defined', want: { html: '<p>ok' } },
  { name: 'an empty body', body: new Uint8Array(), want: { html: '', encoding: 'utf-8' } },
  { name: 'an empty charset', body: utf8('é'), type: 'text/html; charset=', want: { encoding: 'utf-8', source: 'sniff', html: 'é' } },
  {
    name: 'lone bytes that tell nothing',
    body: latin1('<p>\xa9 2001 \x97 all rights'),
    want: { encoding: 'windows-1252', source: 'default' },
  },
];

const RUSSIAN = 'Сегодня утром над городом прошёл сильный дождь, и на улицах почти не было людей. Магазин открылся только после обеда.';
const UKRAINIAN = 'Сьогодні вранці над містом пройшов сильний дощ, і на вулицях майже нікого не було. Крамниця відчинилася по обіді.';
const BULGARIAN = 'Тази сутрин над града валя силен дъжд и по улиците нямаше почти никого. Магазинът отвори едва следобед.';
const JAPANESE = '今朝は町に強い雨が降り、通りにはほとんど人がいませんでした。店は昼過ぎにようやく開きました。';
const KOREAN = '오늘 아침 도시에는 비가 많이 내려서 거리에 사람이 거의 없었다. 가게는 점심이 지나서야 문을 열었다.';
const CHINESE = '今天早上城里下了一场大雨，街上几乎没有人。商店到了下午才开门，我们在那里等了很久。';
const CHINESE_FULL = '今天早上城裡下了一場大雨，街上幾乎沒有人。商店到了下午才開門，我們在那裡等了很久。';
const FRENCH =
  'Ce matin, une forte averse est tombée sur la ville ; les rues étaient désertes et le marché fermé jusqu’à midi. Où êtes-vous allés après ?';
const GERMAN =
  'Heute früh fiel über der Stadt heftiger Regen, die Straßen waren menschenleer. Das Geschäft öffnete erst gegen Mittag für die Käufer.';
const SPANISH =
  'Esta mañana cayó una lluvia muy fuerte sobre la ciudad y no había casi nadie en las calles. ¿Quién abrió la tienda después del mediodía?';
const PORTUGUESE =
  'Esta manhã choveu muito na cidade e não havia quase ninguém nas ruas. A loja só abriu à tarde, e a atenção da população também não foi grande.';
const SWEDISH = 'I morse föll ett häftigt regn över staden och på gatorna var det nästan tomt. Affären öppnade först på eftermiddagen.';
const CZECH =
  'Dnes ráno se nad městem přehnal silný déšť a na ulicích skoro nikdo nebyl. Obchod otevřel až po obědě, když už bylo příliš pozdě.';
const POLISH =
  'Dziś rano nad miastem przeszła gwałtowna ulewa i na ulicach prawie nikogo nie było. Sklep otworzyli dopiero później, gdyż właściciel zaspał.';
const TURKISH =
  'Bu sabah şehirde şiddetli yağmur yağdı, sokaklarda neredeyse hiç kimse yoktu. Dükkân ancak öğleden sonra açıldı, insanlar çıktı.';
const GREEK = 'Σήμερα το πρωί έπεσε δυνατή βροχή στην πόλη και στους δρόμους δεν υπήρχε σχεδόν κανείς. Το μαγαζί άνοιξε μετά το μεσημέρι.';
const HEBREW = 'הבוקר ירד גשם חזק על העיר וברחובות כמעט לא היו אנשים. החנות נפתחה רק אחרי הצהריים.';
const ARABIC = 'هطل هذا الصباح مطر غزير على المدينة ولم يكن في الشوارع أحد تقريبا. فتح المتجر بعد الظهر فقط.';
const THAI = 'เช้านี้ฝนตกหนักทั่วเมืองและแทบไม่มีคนอยู่บนถนน ร้านค้าเปิดหลังเที่ยงเท่านั้น';

const UNDECLARED: readonly (readonly [language: string, text: string, encoding: string])[] = [
  ['Russian', RUSSIAN, 'windows-1251'],
  ['Russian', RUSSIAN, 'koi8-r'],
  ['Russian', RUSSIAN, 'iso-8859-5'],
  ['Russian', RUSSIAN, 'ibm866'],
  ['Ukrainian', UKRAINIAN, 'windows-1251'],
  ['Ukrainian', UKRAINIAN, 'koi8-u'],
  ['Bulgarian', BULGARIAN, 'windows-1251'],
  ['Japanese', JAPANESE, 'shift_jis'],
  ['Japanese', JAPANESE, 'euc-jp'],
  ['Korean', KOREAN, 'euc-kr'],
  ['Chinese', CHINESE, 'gb18030'],
  ['Chinese', CHINESE_FULL, 'big5'],
  ['French', FRENCH, 'windows-1252'],
  ['German', GERMAN, 'windows-1252'],
  ['Spanish', SPANISH, 'windows-1252'],
  ['Portuguese', PORTUGUESE, 'windows-1252'],
  ['Swedish', SWEDISH, 'windows-1252'],
  ['Czech', CZECH, 'windows-1250'],
  ['Czech', CZECH, 'iso-8859-2'],
  ['Polish', POLISH, 'windows-1250'],
  ['Polish', POLISH, 'iso-8859-2'],
  ['Turkish', TURKISH, 'windows-1254'],
  ['Greek', GREEK, 'windows-1253'],
  ['Hebrew', HEBREW, 'windows-1255'],
  ['Arabic', ARABIC, 'windows-1256'],
  ['Thai', THAI, 'windows-874'],
];

describe('F37 a declared encoding', () => {
  for (const { name, body, type, want } of DECLARED) {
    test(name, () => {
      const decoded = decodeBody(body, type);
      assert.deepEqual({ ...decoded, ...want }, decoded);
    });
  }
});

describe('F37 an encoding that nobody declares', () => {
  for (const [language, text, encoding] of UNDECLARED) {
    test(`${language} in ${encoding} is recognised by its letters`, () => {
      const page = `<!doctype html><title>${text.slice(0, 20)}</title><body><div class="text">${text}</div></body>`;
      assert.deepEqual(decodeBody(encodeAs(page, encoding), 'text/html'), { html: page, encoding, source: 'sniff' });
    });
    test(`${language} in UTF-8 is not taken for ${encoding}`, () => {
      assert.equal(decodeBody(utf8(`<p>${text}</p>`), undefined).encoding, 'utf-8');
    });
  }

  test('signs that repeat are no language', () => {
    const signs = `${'\u{a0}'.repeat(40)} Lamps\u{ae} \u{2013} \u{2018}on\u{2019} \u{b7} \u{bb} ${'\u{b6} '.repeat(20)}`;
    assert.deepEqual(decodeBody(encodeAs(signs, 'windows-1252'), undefined), { html: signs, encoding: 'windows-1252', source: 'default' });
  });

  test('letters behind a long stretch of ASCII are still looked at', () => {
    const page = `<script>${'x'.repeat(400_000)}</script>${RUSSIAN}`;
    assert.equal(decodeBody(encodeAs(page, 'koi8-r'), undefined).encoding, 'koi8-r');
  });

  test('UTF-8 with pieces of Latin-1 stays UTF-8', () => {
    const body = Buffer.concat([utf8(RUSSIAN), latin1(' caf\xe9 cr\xe8me ')]);
    assert.equal(decodeBody(body, undefined).encoding, 'utf-8');
  });

  test('UTF-8 with one broken character stays UTF-8', () => {
    const body = Buffer.concat([utf8(RUSSIAN), Uint8Array.of(0xd0), utf8(` ${RUSSIAN}`)]);
    assert.equal(decodeBody(body, undefined).encoding, 'utf-8');
  });

  test('ISO-2022-JP is recognised by its escapes', () => {
    const body = latin1('<p>\x1b$B$3$s\x1b(B</p>');
    assert.deepEqual(decodeBody(body, undefined), { html: '<p>こん</p>', encoding: 'iso-2022-jp', source: 'sniff' });
  });

  test('UTF-16 without a BOM is recognised by its zeros', () => {
    const page = `<html><body>${'text '.repeat(40)}</body></html>`;
    const bytes = Uint8Array.from([...page].flatMap((character) => [character.charCodeAt(0), 0]));
    assert.equal(decodeBody(bytes, undefined).html, page);
  });

  test('a sample that is cut in the middle of a character is still recognised', () => {
    const page = `<p>${`${JAPANESE} `.repeat(4_000)}`;
    assert.equal(decodeBody(encodeAs(page, 'shift_jis'), undefined).encoding, 'shift_jis');
  });
});

describe('F37 hostile bytes', () => {
  const labels = [
    'utf-8',
    'utf-16le',
    'shift_jis',
    'euc-jp',
    'gb18030',
    'big5',
    'euc-kr',
    'iso-2022-jp',
    'koi8-r',
    'utf-7',
    '\u{0}',
    '__proto__',
    '',
  ];
  test('no bytes and no label make the decoder throw', () => {
    let seed = 20_261_120;
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) >> 16;
    for (let round = 0; round < 400; round++) {
      const body = Uint8Array.from({ length: next() % 300 }, () => next() % 256);
      const label = labels[round % labels.length];
      assert.equal(
        typeof decodeBody(body, round % 2 === 0 ? undefined : `text/html; charset=${label}`).html,
        'string',
        `seed 20261120, round ${round}`,
      );
    }
  });
});
