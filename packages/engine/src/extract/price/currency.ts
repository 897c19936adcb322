// The currencies that pages write, their signs and words, and how many minor digits they have (ISO 4217).

/** Signs and words in the spelling that pages use; letters match in any case. A code is always understood beside them. */
const WRITTEN: Readonly<Record<string, string>> = {
  EUR: '€ euro euros eiro eurot eurų evro ευρώ',
  USD: 'US$ $US USD$ Dollars',
  GBP: '£ GB£',
  JPY: 'JP¥ 円 yen',
  CNY: 'CN¥ RMB 人民币 ￥',
  INR: '₹ Rs Rs. rs rs. RS INR. रु रु.',
  CHF: 'Fr. SFr. SFr Fr fr.',
  CAD: 'C$ CA$ CDN$ CAD$ $CA',
  AUD: 'A$ AU$ AUD$',
  NZD: 'NZ$ NZD$',
  HKD: 'HK$ HKD$',
  SGD: 'S$ SG$ SGD$',
  TWD: 'NT$ TWD$ 新台幣 台幣',
  MXN: 'MX$ Mex$ MXN$',
  BRL: 'R$ reais',
  ARS: 'AR$ ARS$',
  CLP: 'CLP$ CL$',
  COP: 'COP$ COL$',
  UYU: '$U UY$ UYU$',
  PEN: 'S/. S/',
  PLN: 'zł zl ZL złoty zlotych złotych',
  CZK: 'Kč Kc KC',
  HUF: 'Ft Ft.',
  RON: 'lei leu Lei LEI',
  BGN: 'лв лв.',
  RUB: '₽ руб руб. р. рублей',
  UAH: '₴ грн грн.',
  KZT: '₸ тг тг. тенге',
  BYN: 'Br бел.руб',
  TRY: '₺ TL YTL Tl tl',
  SEK: 'SEK kronor',
  NOK: 'NOK',
  DKK: 'DKK kroner',
  ISK: 'ISK krónur',
  RSD: 'дин дин. din din. Din RSD.',
  HRK: 'kn',
  BAM: 'KM',
  MKD: 'ден ден.',
  KRW: '₩ 원',
  THB: '฿ บาท baht',
  VND: '₫ đ VNĐ',
  IDR: 'Rp Rp. rp rp. RP',
  MYR: 'RM',
  PHP: '₱ Php',
  ILS: '₪ ש"ח',
  AED: 'Dhs Dhs. Dh Dh. د.إ درهم',
  SAR: 'SR S.R. ر.س ر.س. ريال ﷼',
  QAR: 'QR ر.ق',
  KWD: 'KD K.D. K.D د.ك',
  BHD: 'BD B.D. B.D د.ب .د.ب',
  OMR: 'R.O. O.R. RO ر.ع ر.ع.',
  EGP: 'E£ LE L.E. ج.م جنيه',
  MAD: 'MAD درهم.م',
  TND: 'DT D.T. د.ت',
  JOD: 'JD J.D. د.أ د.ا',
  IRR: 'تومان',
  ZAR: 'R',
  NGN: '₦',
  KES: 'KSh KSh. Ksh',
  GHS: 'GH₵ ₵',
  BDT: '৳ Tk Tk.',
  PKR: 'PKR. ₨',
  LKR: 'LKR. රු',
  PYG: '₲',
  CRC: '₡',
  GEL: '₾ лари',
  AMD: '֏ դր.',
  AZN: '₼ манат',
  MDL: 'MDL',
  XOF: 'FCFA CFA',
  XPF: 'XPF',
};

/** Signs that several countries share: what they mean without more to go by, and what else they may mean. */
const SHARED: Readonly<Record<string, { readonly usual: string | undefined; readonly among: readonly string[] }>> = {
  $: { usual: 'USD', among: ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN', 'ARS', 'CLP', 'COP', 'UYU', 'BRL'] },
  元: { usual: 'CNY', among: ['CNY', 'TWD', 'HKD'] },
  '¥': { usual: 'JPY', among: ['JPY', 'CNY'] },
  '￥': { usual: 'JPY', among: ['JPY', 'CNY'] },
  kr: { usual: undefined, among: ['SEK', 'NOK', 'DKK', 'ISK'] },
  'kr.': { usual: 'DKK', among: ['DKK', 'SEK', 'NOK', 'ISK'] },
};

const MINOR_DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'XOF', 'XAF', 'XPF', 'UGX', 'RWF'].map((code) => [code, 0])),
  ...Object.fromEntries(['KWD', 'BHD', 'OMR', 'JOD', 'TND', 'IQD', 'LYD'].map((code) => [code, 3])),
};

/** Regions whose shops mean their own currency by a shared sign. */
const BY_REGION: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  HK: 'HKD',
  SG: 'SGD',
  TW: 'TWD',
  MX: 'MXN',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
  UY: 'UYU',
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  IS: 'ISK',
  JP: 'JPY',
  KW: 'KWD',
  BH: 'BHD',
  OM: 'OMR',
  TN: 'TND',
  JO: 'JOD',
  CN: 'CNY',
};
const BY_LANGUAGE: Readonly<Record<string, string>> = {
  sv: 'SEK',
  nb: 'NOK',
  nn: 'NOK',
  no: 'NOK',
  da: 'DKK',
  is: 'ISK',
  ja: 'JPY',
  zh: 'CNY',
};

const CODES: ReadonlySet<string> = new Set([...Object.keys(WRITTEN), ...Object.keys(MINOR_DIGITS)]);
const BY_SPELLING: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN).flatMap(([code, spellings]) => spellings.split(' ').map((spelling) => [spelling.toLowerCase(), code])),
);

const CODES_LOWER = ['eur', 'usd', 'gbp', 'pln', 'czk', 'huf', 'sek', 'nok', 'dkk', 'chf', 'cad', 'aud', 'inr', 'ron', 'Eur', 'Usd'];
const SPELLINGS = [
  ...Object.values(WRITTEN).flatMap((spellings) => spellings.split(' ')),
  ...Object.keys(SHARED),
  'Kr',
  'KR',
  'Kr.',
  'KR.',
  ...CODES,
  ...CODES_LOWER,
];
/** Short Latin words keep their case: `Ft` is a forint, `ft` a foot. */
const hasCase = (spelling: string): boolean => /^[a-z.]{1,3}$/i.test(spelling) || /^[A-Z]{3}$/.test(spelling);

/** Source of a regular expression (flags `u`) that matches any spelling of a currency, longest first, without word boundaries. */
export const CURRENCY_SOURCE: string = [...new Set(SPELLINGS)]
  .sort((a, b) => b.length - a.length)
  .map((spelling) => ({ spelling, source: spacedSource(spelling) }))
  .map(({ spelling, source }) => (hasCase(spelling) ? source : `(?i:${source})`))
  .join('|');

/** A spelling as a pattern; letters before a sign may stand apart from it: `AU $20`. */
function spacedSource(spelling: string): string {
  const escaped = spelling.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return escaped.replace(/^([A-Z]{2,3})(?=\\\$$)/, '$1 ?');
}

/** Words that are a measure or a type mark as often as a currency. */
const WEAK = /^(?:KM|Ft|BD|LE|DT|SR|QR|KD|JD|Dh|Tk|RM|din|Din|Br)$/;

/**
 * True unless `spelling` beside `number` more likely means something else: `10 KM` is a distance, `R170` a model. Such words need three
 * digits, the lone letter a mark in the number or a page of its country.
 */
export function isLikelyCurrency(spelling: string, number: string, context: CurrencyContext): boolean {
  if (spelling === 'R') return /\D/.test(number) || context.currency === 'ZAR' || /[-_]ZA$/i.test(context.locale ?? '');
  return !WEAK.test(spelling) || number.replace(/\D/g, '').length >= 3;
}

/** What the page tells besides the text itself. */
export interface CurrencyContext {
  /** ISO 4217 code that the page states. */
  readonly currency?: string | undefined;
  /** BCP 47 tag of the page, such as `en-CA`. */
  readonly locale?: string | undefined;
}

/** The ISO 4217 code that `spelling` stands for; undefined for an unknown one, and for `kr` where nothing says whose. */
export function currencyOf(spelling: string, context: CurrencyContext = {}): string | undefined {
  const written = spelling.toLowerCase().replace(' ', '');
  const shared = SHARED[written];
  if (!shared) return BY_SPELLING.get(written) ?? knownCode(spelling);
  const told = [context.currency?.toUpperCase(), currencyOfLocale(context.locale)];
  const known = told.find((code) => code !== undefined && shared.among.includes(code));
  // A dozen countries write pesos as `$`, so in Spanish the sign alone says nothing.
  return known ?? (spelling === '$' && /^es(?:$|-)/i.test(context.locale ?? '') ? undefined : shared.usual);
}

/** True for a sign that several currencies share. */
export function isSharedSign(spelling: string): boolean {
  return spelling.toLowerCase() in SHARED;
}

/** Digits behind the decimal mark; two where the currency is unknown. */
export function minorDigitsOf(currency: string | undefined): number {
  return MINOR_DIGITS[currency ?? ''] ?? 2;
}

/** The code in upper case if it has the form of one. */
export function knownCode(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase();
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}

function currencyOfLocale(locale: string | undefined): string | undefined {
  const [language = '', ...rest] = locale?.split(/[-_]/) ?? [];
  const region = rest.find((part) => /^[a-z]{2}$/i.test(part));
  return BY_REGION[region?.toUpperCase() ?? ''] ?? (region ? undefined : BY_LANGUAGE[language.toLowerCase()]);
}
