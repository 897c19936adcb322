// The labels behind which shops of many languages write an article number.

/** What a label names: the stock keeping unit, the shop's number, a model, the number of the maker; `other` is any label. */
export type SkuLabelKind = 'sku' | 'number' | 'model' | 'maker' | 'other';

/** A label as written and what it names. */
export interface SkuLabel {
  readonly label: string;
  readonly kind: SkuLabelKind;
}

/** Labels by what they name; the first that fits counts. */
const LABELS: readonly (readonly [SkuLabelKind, string])[] = [
  ['sku', String.raw`sku(?: ?(?:no|nr|number|code|id|#)\.?)?`],
  [
    'number',
    String.raw`(?:item|article|product|catalog(?:ue)?|stock|order|part) ?(?:no|nr|number|num|code|id|#)\.?|item ?#|(?:web|style|retailer|listing) ?(?:id|no|number|code|#)\.?|
      art(?:ikel)?[.\- ]*(?:nr|no|nummer|numer|num)\.?|(?:bestell|produkt|sach|waren)[- ]?(?:nr|nummer)\.?|best\.? ?-?nr\.?|art\.|article|(?:réf(?:érence)?|ref(?:erence)?|rif(?:erimento)?)\.?(?: ?(?:no|nr|number)\.?)?(?: ?(?:produit|article|du produit|produto))?|
      ugs|code (?:produit|article)|n° ?(?:d'article|article)|(?:codice|cod\.?)(?: ?(?:articolo|prodotto|art\.?))?|cód(?:igo|\.)?(?: ?(?:do produto|del? (?:producto|artículo)|produto|de referencia))?|
      referencia|referência(?: (?:do )?produto)?|artikelnummer|artikelnr\.?|varenr\.?|varenummer|tuotenumero|tuotekoodi|vörunúmer|tootekood|preces kods|prekės kodas|kodas|kods|
      (?:nr|numer|kod|indeks|symbol)\.?(?: ?(?:ref|referencyjny|katalogowy|produktu|artykułu|towaru|art))?\.?|(?:kód|kod|číslo|katalogové číslo|obj\. ?(?:kód|číslo))(?: ?(?:produktu|zboží|tovaru|výrobku))?|
      cikkszám|termékkód|cod(?:ul)? (?:produs|articol)|šifra(?: (?:artikla|izdelka|proizvoda))?|kataloška številka|шифра|
      артикул|арт\.?|код(?: ?(?:товара|товару|продукта|производителя|на продукта|артикула))?|номер (?:товара|артикула)|каталожен номер|κωδικός(?: προϊόντος)?|ürün (?:kodu|no)|stok kodu|barkod|
      מק"?ט|رمز المنتج|رقم (?:المنتج|الصنف|الموديل)|کد کالا|รหัสสินค้า|mã (?:sản phẩm|sp|hàng)|kode (?:produk|barang)|
      商品(?:番号|コード|編號|编号|代號|代号|管理番号)|品番|型番|貨號|货号|編號|编号|產品編號|产品编号|상품(?:번호|코드)|제품번호|품번`,
  ],
  [
    'model',
    String.raw`(?<!promo |promotional |coupon |discount |voucher |gift |zip |post |postal |area |color |colour |qr |bar )code|model(?: ?(?:no|nr|number|code|name|#))?\.?|modell(?:nummer)?|modèle|modello|modelo|модель|모델명|型號|型号|item model number|style`,
  ],
  [
    'maker',
    String.raw`mpn|manufacturer(?:'s)? (?:part )?(?:no|number|code|ref\w*)\.?|mfr\.?(?: ?(?:part|no|#))*\.?|hersteller(?:artikel)?-?(?:nr|nummer)\.?|part ?(?:no|number|#)\.?|código (?:del )?fabricante|codice produttore|kod producenta`,
  ],
];
const PATTERNS = LABELS.map(([kind, words]) => ({
  kind,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(${words.replace(/\n\s*/g, '')})\\s*(?:[:：#]|n[o°]\\.?|№|\\.)*\\s*$`, 'iu'),
}));

/** The label that ends `text`, with or without a mark behind it; undefined without one. */
export function findSkuLabel(text: string): SkuLabel | undefined {
  for (const { kind, pattern } of PATTERNS) {
    const match = pattern.exec(text.trimEnd());
    if (match) return { label: match[1] as string, kind };
  }
  return undefined;
}
