import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPhrase, findQuantity, isBuyName, isBuyText } from './phrases.ts';
import type { AvailabilityState } from './state.ts';

const STATES: readonly (readonly [state: AvailabilityState | '-', ...texts: readonly string[]])[] = [
  [
    'in_stock',
    'In stock',
    '12 in stock',
    'Auf Lager',
    'Sofort lieferbar',
    'En stock',
    'Disponible',
    'Disponibile',
    'Disponível',
    'Op voorraad',
  ],
  ['in_stock', 'I lager', 'På lager', 'Varastossa', 'Dostępny', 'Skladem', 'Na sklade', 'Raktáron', 'În stoc', 'Na zalogi', 'Dobavljivo'],
  [
    'in_stock',
    'В наличии',
    'В наявності',
    'В наличност',
    'Άμεσα διαθέσιμο',
    'Stokta var',
    'במלאי',
    'متوفر',
    '在庫あり',
    '有货',
    '現貨',
    'Còn hàng',
  ],
  [
    'out_of_stock',
    'Out of stock',
    'Sold out',
    'Currently unavailable.',
    'Ausverkauft',
    'Nicht auf Lager',
    'Derzeit nicht verfügbar',
    'Épuisé',
  ],
  [
    'out_of_stock',
    'Rupture de stock',
    'Esaurito',
    'Non disponibile',
    'Agotado',
    'Sin stock',
    'Esgotado',
    'Uitverkocht',
    'Niet op voorraad',
  ],
  [
    'out_of_stock',
    'Slutsåld',
    'Udsolgt',
    'Utsolgt',
    'Loppuunmyyty',
    'Brak w magazynie',
    'Vyprodáno',
    'Není skladem',
    'Vypredané',
    'Elfogyott',
  ],
  ['out_of_stock', 'Stoc epuizat', 'Razprodano', 'Нет в наличии', 'Немає в наявності', 'Εξαντλήθηκε', 'Tükendi', 'אזל מהמלאי', 'غير متوفر'],
  ['out_of_stock', '在庫切れ', '売り切れ', '缺货', '售完', '품절', 'Hết hàng', 'Stok habis', 'สินค้าหมด'],
  ['preorder', 'Pre-order now', 'Jetzt vorbestellen', 'Précommander', 'Preventa', 'Przedsprzedaż', 'Предзаказ', '予約受付中', '预售'],
  ['backorder', 'Available on backorder', 'On back-order', 'Bajo pedido', 'Под заказ', 'Beställningsvara', 'お取り寄せ'],
  ['made_to_order', 'Made to order', 'Sur mesure', 'Su misura', 'Maßanfertigung', '受注生産'],
  ['discontinued', 'Discontinued', 'No longer available', 'Nicht mehr lieferbar', 'Descatalogado', 'Снят с производства', '販売終了'],
  ['limited', 'Only 3 left', 'Nur noch 2 Stück', 'Plus que 4', 'Ostatnie sztuki', 'Осталось 3 шт.', '残り5点', 'Low stock', 'Almost gone'],
  ['-', 'Free returns', 'Add to cart', "We'll let you know when it's in stock", 'Handgefertigt', 'Stockholm', 'Not in the mood'],
];

describe('findPhrase', () => {
  for (const [state, ...texts] of STATES) {
    for (const text of texts) it(`takes ${JSON.stringify(text)} for ${state}`, () => assert.equal(findPhrase(text)?.state ?? '-', state));
  }

  it('keeps the words of the page', () => {
    assert.equal(findPhrase('Sorry, this is SOLD OUT today')?.phrase, 'SOLD OUT');
  });
});

describe('findQuantity', () => {
  const cases: readonly (readonly [text: string, quantity: number | undefined])[] = [
    ['Only 5 left', 5],
    ['Only 2 left in stock - order soon', 2],
    ['12 in stock', 12],
    ['Nur noch 3 auf Lager', 3],
    ['Plus que 4 en stock', 4],
    ['Осталось 3 шт.', 3],
    ['残り5点', 5],
    ['Stock: 17', 17],
    ['More than 10 available', undefined],
    ['10+ in stock', undefined],
    ['In stock', undefined],
    ['Pack of 5', undefined],
  ];
  for (const [text, quantity] of cases)
    it(`reads ${quantity} in ${JSON.stringify(text)}`, () => assert.equal(findQuantity(text), quantity));
});

describe('isBuyText', () => {
  const buys = [
    'Add to cart',
    'ADD TO BAG',
    'Buy now',
    'In den Warenkorb',
    'Ajouter au panier',
    'Aggiungi al carrello',
    'Añadir al carrito',
    'Comprar',
  ];
  const more = [
    'Adicionar ao carrinho',
    'In winkelwagen',
    'Lägg i varukorgen',
    'Læg i kurv',
    'Lisää ostoskoriin',
    'Dodaj do koszyka',
    'Do košíku',
    'Kosárba',
  ];
  const others = [
    'Adaugă în coș',
    'V košarico',
    'Купить',
    'В корзину',
    'Купити',
    'Sepete ekle',
    'カートに入れる',
    '加入購物車',
    '立即购买',
    '장바구니',
    '+ Add to cart',
  ];
  for (const text of [...buys, ...more, ...others]) it(`knows the button ${text}`, () => assert.equal(isBuyText(text), true));
  for (const text of [
    'View cart',
    'Cart (0)',
    'Add to wishlist',
    'Buy two and get one free this weekend',
    'Subscribe',
    'Zum Warenkorb',
    '',
  ]) {
    it(`takes ${JSON.stringify(text)} for no buy button`, () => assert.equal(isBuyText(text), false));
  }
});

describe('isBuyName', () => {
  for (const words of [
    'btn add-to-cart',
    'AddToBasketButton',
    'buy_now',
    'product-form__add-to-bag',
    'Add Lamp to your basket',
    '/cart/add',
  ]) {
    it(`knows ${words}`, () => assert.equal(isBuyName(words), true));
  }
  for (const words of ['minicart', 'cart-link', 'address', 'buyers-guide', 'add-to-wishlist', '/cart']) {
    it(`takes ${words} for no buy control`, () => assert.equal(isBuyName(words), false));
  }
});
