import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CurrencyContext } from './currency.ts';
import { findPrices, parsePrice, parsePriceRange, priceOfNumber } from './price.ts';

/** Text, amount with minor digits, currency (`-` for none), and the context where one matters. */
type Case = readonly [text: string, amount: string, currency: string, context?: CurrencyContext];

const CASES: readonly Case[] = [
  // Points and commas
  ['$19.99', '19.99', 'USD'],
  ['$1,299.99', '1299.99', 'USD'],
  ['$1,299', '1299.00', 'USD'],
  ['$ 12.50', '12.50', 'USD'],
  ['$1.000', '1000.00', 'USD'],
  ['$.99', '0.99', 'USD'],
  ['$0.5', '0.50', 'USD'],
  ['$1,234,567.89', '1234567.89', 'USD'],
  ['1.299,00 €', '1299.00', 'EUR'],
  ['1.299 €', '1299.00', 'EUR'],
  ['19,99 €', '19.99', 'EUR'],
  ['19,9 €', '19.90', 'EUR'],
  ['€19,99', '19.99', 'EUR'],
  ['€ 19.99', '19.99', 'EUR'],
  ['€1.234.567,89', '1234567.89', 'EUR'],
  ['1.234.567 €', '1234567.00', 'EUR'],
  ['€ 0.999', '1.00', 'EUR'],
  ['0,50 €', '0.50', 'EUR'],
  ['€1234', '1234.00', 'EUR'],
  ['1234,5 €', '1234.50', 'EUR'],
  ['12345,678 €', '12345.68', 'EUR'],
  ['£12.99', '12.99', 'GBP'],
  ['£1,299', '1299.00', 'GBP'],
  ['£ 5', '5.00', 'GBP'],
  // Blanks and apostrophes between groups
  ['1 099,00 EUR', '1099.00', 'EUR'],
  ['1\u00a0099,00 €', '1099.00', 'EUR'],
  ['1\u202f099,00 €', '1099.00', 'EUR'],
  ['1\u2009099 €', '1099.00', 'EUR'],
  ['12 345 678 Kč', '12345678.00', 'CZK'],
  ["CHF 1'299.-", '1299.00', 'CHF'],
  ['1’299.00 CHF', '1299.00', 'CHF'],
  ["Fr. 1'299.50", '1299.50', 'CHF'],
  // Dashes in place of cents
  ['5,- €', '5.00', 'EUR'],
  ['5,– €', '5.00', 'EUR'],
  ['5,-- €', '5.00', 'EUR'],
  ['€ 49,-', '49.00', 'EUR'],
  ['49.- CHF', '49.00', 'CHF'],
  ['kr 1.299,-', '1299.00', 'NOK', { locale: 'nb-NO' }],
  ['1 299:- kr', '1299.00', 'SEK', { locale: 'sv' }],
  ['12 999,- Kč', '12999.00', 'CZK'],
  // Cents apart
  ['19€99', '19.99', 'EUR'],
  ['19 € 99', '19.99', 'EUR'],
  ['1 299€95', '1299.95', 'EUR'],
  ['$19 99', '19.99', 'USD'],
  ['12:50 kr', '12.50', 'SEK', { currency: 'SEK' }],
  // Currencies by sign
  ['₹1,23,456.78', '123456.78', 'INR'],
  ['₹ 12,34,567', '1234567.00', 'INR'],
  ['₹ 499', '499.00', 'INR'],
  ['¥12,800', '12800', 'JPY'],
  ['¥ 128.00', '128.00', 'CNY', { locale: 'zh-CN' }],
  ['CN¥ 128.50', '128.50', 'CNY'],
  ['₩15,900', '15900', 'KRW'],
  ['₽ 2 499', '2499.00', 'RUB'],
  ['2 499 ₽', '2499.00', 'RUB'],
  ['1 500₴', '1500.00', 'UAH'],
  ['44 890 ₸', '44890.00', 'KZT'],
  ['₺1.299,90', '1299.90', 'TRY'],
  ['฿1,290.00', '1290.00', 'THB'],
  ['15.000.000₫', '15000000', 'VND'],
  ['150.000 đ', '150000', 'VND'],
  ['₱1,299.75', '1299.75', 'PHP'],
  ['₪ 129.90', '129.90', 'ILS'],
  ['₦ 12,500', '12500.00', 'NGN'],
  ['৳ 1,250', '1250.00', 'BDT'],
  ['₾ 45', '45.00', 'GEL'],
  ['₲ 125.000', '125000', 'PYG'],
  ['₡ 12.500', '12500.00', 'CRC'],
  // Signs with a country
  ['US$ 20', '20.00', 'USD'],
  ['A$15', '15.00', 'AUD'],
  ['AU$1,500.00', '1500.00', 'AUD'],
  ['C$ 24.99', '24.99', 'CAD'],
  ['CA$24.99', '24.99', 'CAD'],
  ['NZ$ 9.50', '9.50', 'NZD'],
  ['HK$1,280', '1280.00', 'HKD'],
  ['S$12.90', '12.90', 'SGD'],
  ['NT$294', '294.00', 'TWD'],
  ['MX$ 1,299.00', '1299.00', 'MXN'],
  ['R$ 1.234,56', '1234.56', 'BRL'],
  ['R$99', '99.00', 'BRL'],
  ['S/. 45.90', '45.90', 'PEN'],
  ['S/ 45.90', '45.90', 'PEN'],
  ['E£ 450', '450.00', 'EGP'],
  ['$U 1.290', '1290.00', 'UYU'],
  // Shared signs
  ['$20', '20.00', 'CAD', { locale: 'en-CA' }],
  ['$20', '20.00', 'AUD', { currency: 'AUD' }],
  ['$20', '20.00', 'USD', { currency: 'EUR' }],
  ['$ 12.990', '12990', 'CLP', { locale: 'es-CL' }],
  ['$ 12.990', '12990.00', '-', { locale: 'es' }],
  ['$20 CAD', '20.00', 'CAD'],
  ['$20 USD', '20.00', 'USD', { locale: 'en-AU' }],
  ['199 kr', '199.00', '-'],
  ['199 kr', '199.00', 'SEK', { locale: 'sv-SE' }],
  ['199 kr', '199.00', 'NOK', { locale: 'nb' }],
  ['kr 199', '199.00', 'DKK', { currency: 'DKK' }],
  ['1.990,00 kr.', '1990.00', 'DKK'],
  ['294元', '294.00', 'CNY'],
  ['294元', '294.00', 'TWD', { locale: 'zh-TW' }],
  // Codes
  ['20 USD', '20.00', 'USD'],
  ['USD20', '20.00', 'USD'],
  ['99EUR', '99.00', 'EUR'],
  ['EUR 10.5', '10.50', 'EUR'],
  ['12,800 JPY', '12800', 'JPY'],
  ['1280.00 JPY', '1280', 'JPY'],
  ['SEK 1 299', '1299.00', 'SEK'],
  ['PLN 1 234 567,89', '1234567.89', 'PLN'],
  ['129,99 eur', '129.99', 'EUR'],
  ['CLP 12.990', '12990', 'CLP'],
  ['2,190.00 ARS', '2190.00', 'ARS'],
  ['KWD 1.250', '1.250', 'KWD'],
  ['1.250 KD', '1.250', 'KWD'],
  ['BHD 12.500', '12.500', 'BHD'],
  ['OMR 3.75', '3.750', 'OMR'],
  ['GBP 1.99', '1.99', 'GBP'],
  ['AED 1,250.00', '1250.00', 'AED'],
  // Words
  ['129,99 zł', '129.99', 'PLN'],
  ['1 234 Kč', '1234.00', 'CZK'],
  ['12 990 Ft', '12990.00', 'HUF'],
  ['4,500 Ft', '4500.00', 'HUF'],
  ['12.500 TL', '12500.00', 'TRY'],
  ['12.500,50 TL', '12500.50', 'TRY'],
  ['249,99 lei', '249.99', 'RON'],
  ['45,90 лв.', '45.90', 'BGN'],
  ['1 500 руб.', '1500.00', 'RUB'],
  ['1500 р.', '1500.00', 'RUB'],
  ['1 299 грн', '1299.00', 'UAH'],
  ['44 890 тг.', '44890.00', 'KZT'],
  ['2.499 din', '2499.00', 'RSD'],
  ['Rs. 499', '499.00', 'INR'],
  ['Rs 1,49,999', '149999.00', 'INR'],
  ['Rp 1.500.000', '1500000.00', 'IDR'],
  ['RM1,234.50', '1234.50', 'MYR'],
  ['R 1 234.56', '1234.56', 'ZAR'],
  ['R1,299', '1299.00', 'ZAR'],
  ['R99', '99.00', 'ZAR', { locale: 'en-ZA' }],
  ['KSh 2,500', '2500.00', 'KES'],
  ['15,900원', '15900', 'KRW'],
  ['12,800円', '12800', 'JPY'],
  ['20 euro', '20.00', 'EUR'],
  ['20 Euros', '20.00', 'EUR'],
  ['25 dollars', '25.00', 'USD'],
  ['1 500 FCFA', '1500', 'XOF'],
  // Other digits
  ['１２，８００円', '12800', 'JPY'],
  ['٣٬٥٠٠٫٥٠ ر.س', '3500.50', 'SAR'],
  ['۱۲۵۰ ﷼', '1250.00', 'SAR'],
  ['₹ १,२३,४५६', '123456.00', 'INR'],
  // Words around
  ['Price: $ 12.50 each', '12.50', 'USD'],
  ['Now only £5!', '5.00', 'GBP'],
  ['ab 19,99 €*', '19.99', 'EUR'],
  ['Was $20.00', '20.00', 'USD'],
  ['€12.99/kg', '12.99', 'EUR'],
  ['2 x 15 €', '15.00', 'EUR'],
  ['2 500 zł', '2500.00', 'PLN'],
  ['USD 10 EUR 20', '10.00', 'USD'],
  ['20 % off $80', '80.00', 'USD'],
  ['10 - 20 €', '10.00', 'EUR'],
  // Bare numbers
  ['19,99', '19.99', '-'],
  ['19.99', '19.99', 'EUR', { currency: 'EUR' }],
  ['1.299', '1299.00', '-'],
  ['1,299.00', '1299.00', '-'],
  ['12.500', '12.500', 'KWD', { currency: 'KWD' }],
  ['12,800', '12800', 'JPY', { currency: 'JPY' }],
  ['1299.0000', '1299.00', '-'],
  ['from 25', '25.00', '-'],
  ['nur 25,50', '25.50', '-'],
  ['1 299:-', '1299.00', '-'],
  ['0', '0.00', '-'],
  // Nothing to pay
  ['Free', '0.00', '-'],
  ['Gratis', '0.00', 'EUR', { currency: 'EUR' }],
  ['kostenlos', '0.00', '-'],
  ['無料', '0', 'JPY', { currency: 'JPY' }],
  ['$0.00', '0.00', 'USD'],
];

const NO_PRICES: readonly string[] = [
  '',
  'Add to cart',
  'Free shipping',
  '20 % off',
  '-20 €',
  '−5,00 €',
  '4.5 out of 5',
  '128 reviews',
  'iPhone 12',
  '12.05.2024',
  '2024-05-12',
  '1.2.3.4',
  '500 ml',
  '12 cm',
  '10 km',
  '6 ft',
  '205/55 R16',
  'R170 coupé',
  'Ref. 12345',
  '€',
  'twenty dollars',
];

describe('parsePrice', () => {
  for (const [text, amount, currency, context] of CASES) {
    it(`reads ${JSON.stringify(text)}${context ? ` with ${JSON.stringify(context)}` : ''} as ${amount} ${currency}`, () => {
      const price = parsePrice(text, context);
      assert.deepEqual([price?.amount, price?.currency ?? '-'], [amount, currency]);
      assert.equal(price?.amountMinor, Number(amount.replace('.', '')));
    });
  }

  for (const text of NO_PRICES) {
    it(`finds no price in ${JSON.stringify(text)}`, () => {
      const price = parsePrice(text);
      assert.equal(price, undefined);
    });
  }

  it('keeps the text it read', () => {
    assert.equal(parsePrice('Price: 1.299,00 € incl. VAT')?.raw, '1.299,00 €');
  });

  it('reads no amount beyond safe integers', () => {
    assert.equal(parsePrice('$99999999999999999999'), undefined);
  });

  it('takes linear time for long runs of digits and marks', () => {
    assert.equal(parsePrice('1,'.repeat(100_000)), undefined);
    assert.equal(parsePrice(`${'1 000 '.repeat(100_000)}x`), undefined);
  });
});

describe('parsePriceRange', () => {
  const ranges: readonly (readonly [text: string, low: string, high: string, currency: string])[] = [
    ['10 - 20 €', '10.00', '20.00', 'EUR'],
    ['$10 to $20', '10.00', '20.00', 'USD'],
    ['€10–€20', '10.00', '20.00', 'EUR'],
    ['from 10 to 20 zł', '10.00', '20.00', 'PLN'],
    ['19,99 € – 1.299,00 €', '19.99', '1299.00', 'EUR'],
    ['1.299-1.599 €', '1299.00', '1599.00', 'EUR'],
    ['$20 - $10', '10.00', '20.00', 'USD'],
    ['10 bis 20 EUR', '10.00', '20.00', 'EUR'],
    ['￥1,000～￥2,000', '1000', '2000', 'JPY'],
  ];
  for (const [text, low, high, currency] of ranges) {
    it(`reads ${text}`, () => {
      const range = parsePriceRange(text);
      assert.deepEqual([range?.low.amount, range?.high.amount, range?.high.currency], [low, high, currency]);
    });
  }
  for (const text of ['$5', '2-3 days, 20 €', '10 €', 'A - B']) {
    it(`finds no range in ${text}`, () => assert.equal(parsePriceRange(text), undefined));
  }
});

describe('findPrices', () => {
  it('finds every price with its place', () => {
    const found = findPrices('Was $20.00 Now $15.00');
    assert.deepEqual(
      found.map(({ amount, start, end }) => [amount, start, end]),
      [
        ['20.00', 4, 10],
        ['15.00', 15, 21],
      ],
    );
  });

  it('leaves bare numbers out', () => {
    assert.deepEqual(findPrices('12 items, 5 stars'), []);
  });
});

describe('priceOfNumber', () => {
  it('takes the point for decimal and rounds half up', () => {
    assert.equal(priceOfNumber(1.299, 'EUR')?.amountMinor, 130);
    assert.equal(priceOfNumber(1.005, 'EUR')?.amountMinor, 101);
    assert.equal(priceOfNumber(12800, 'JPY')?.amountMinor, 12800);
  });

  it('refuses what is no price', () => {
    assert.equal(priceOfNumber(-1, 'EUR'), undefined);
    assert.equal(priceOfNumber(Number.NaN, 'EUR'), undefined);
  });
});
