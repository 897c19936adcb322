// Reads an amount of money out of a short text. One function, so that another price reader can stand in for it.

/** `amount` is a decimal string; `currency` an ISO 4217 code, undefined where the text does not tell. */
export interface Price {
  readonly amount: string;
  readonly currency: string | undefined;
}

const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/US\s?\$|\$\s?US/, 'USD'],
  [/C(?:A|AD)?\s?\$|\$\s?CA/, 'CAD'],
  [/AU?\s?\$/, 'AUD'],
  [/NZ\s?\$/, 'NZD'],
  [/HK\s?\$/, 'HKD'],
  [/S\$/, 'SGD'],
  [/R\$/, 'BRL'],
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/₹|\bRs\.?/, 'INR'],
  [/₽|руб/, 'RUB'],
  [/₩/, 'KRW'],
  [/₺/, 'TRY'],
  [/₴/, 'UAH'],
  [/₫/, 'VND'],
  [/₪/, 'ILS'],
  [/zł/, 'PLN'],
  [/Kč/, 'CZK'],
  [/¥|￥/, 'JPY'],
  [/\$/, 'USD'],
];
const CODE =
  /\b(USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|INR|RUB|UAH|TRY|BRL|MXN|ZAR|KRW|SGD|HKD|ILS|AED|SAR|THB|VND|IDR|MYR|PHP|CLP|COP|ARS)\b/;
const SIGN = /[$€£¥￥₹₽₩₺₴₫₪]|zł|Kč|руб|\bkr\b|\bRs\.?/;
const NUMBER = /\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)/;
const TEXT_MAX = 60;

/** The first amount in `text` if it carries a currency sign or code and is not a longer sentence; else undefined. */
export function readPrice(text: string): Price | undefined {
  if (text.length > TEXT_MAX || !(SIGN.test(text) || CODE.test(text))) return undefined;
  const number = NUMBER.exec(joinCents(text))?.[0];
  return number === undefined ? undefined : { amount: decimalOf(number), currency: currencyOf(text) };
}

/** `$ 189 .99` and `$ 189 99`: cents that stood in an element of their own. */
function joinCents(text: string): string {
  return text.replace(/(\d)\s+([.,]\d{2})(?!\d)/g, '$1$2').replace(/(\d)\s+(\d{2})(?=\D*$)(?!\s*\d)/, '$1.$2');
}

/** The last separator is the decimal point when one or two digits follow it. */
function decimalOf(number: string): string {
  const match = /[.,](\d{1,2})$/.exec(number);
  const whole = (match ? number.slice(0, match.index) : number).replace(/\D/g, '');
  return match ? `${whole}.${match[1]}` : whole;
}

function currencyOf(text: string): string | undefined {
  return CODE.exec(text)?.[1] ?? SYMBOLS.find(([sign]) => sign.test(text))?.[1];
}
