// What shops of twelve languages write around a product, and how they write money.

export interface ShopWords {
  readonly lang: string;
  readonly currency: string;
  /** Money as the language writes it. */
  readonly money: (amount: number) => string;
  readonly cart: string;
  /** Labels of the shop's own number. */
  readonly sku: readonly string[];
  readonly inStock: readonly string[];
  readonly outOfStock: readonly string[];
  readonly low: (count: number) => string;
  readonly preorder: string;
  readonly notify: string;
  readonly was: string;
  readonly now: string;
  readonly save: string;
  readonly monthly: (money: string) => string;
  readonly freeOver: (money: string) => string;
  readonly untaxed: string;
  readonly taxed: string;
  readonly perKilo: (money: string) => string;
  readonly related: string;
  readonly category: string;
  readonly brand: string;
  readonly weight: string;
  readonly nouns: readonly string[];
}

const dot = (sign: string) => (amount: number) => `${sign}${amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
const comma = (sign: string, group = '.') => (amount: number) =>
  `${amount.toFixed(2).replace('.', ',').replace(/\B(?=(\d{3})+,)/g, group)} ${sign}`; // prettier-ignore
const before = (sign: string) => (amount: number) =>
  `${sign} ${amount
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '.')}`;
const whole = (sign: string, isBehind: boolean) => (amount: number) => {
  const text = String(Math.round(amount)).replace(/\B(?=(\d{3})+$)/g, ',');
  return isBehind ? text + sign : sign + text;
};

export const SHOP_WORDS: readonly ShopWords[] = [
  { lang: 'en-US', currency: 'USD', money: dot('$'), cart: 'Add to cart', sku: ['SKU', 'Item No.', 'Product Code', 'Model'], inStock: ['In stock', 'In Stock', 'Available', 'Ships within 24 hours'], outOfStock: ['Out of stock', 'Sold out', 'Currently unavailable'], low: (n) => `Only ${n} left`, preorder: 'Pre-order', notify: 'Notify me when available', was: 'Was', now: 'Now', save: 'You save', monthly: (m) => `or 4 interest-free payments of ${m}`, freeOver: (m) => `Free shipping on orders over ${m}`, untaxed: 'Ex Tax', taxed: 'incl. tax', perKilo: (m) => `${m} / lb`, related: 'You may also like', category: 'Category', brand: 'Brand', weight: 'Weight', nouns: ['Desk Lamp', 'Oak Chair', 'Trail Backpack', 'Coffee Grinder', 'Wool Blanket'] },
  { lang: 'en-GB', currency: 'GBP', money: dot('£'), cart: 'Add to basket', sku: ['SKU', 'Product code', 'Ref', 'Item code'], inStock: ['In stock', '12 in stock', 'In stock - delivered in 2-3 days'], outOfStock: ['Out of stock', 'Sold Out'], low: (n) => `Hurry, only ${n} left in stock`, preorder: 'Available to pre-order', notify: 'Email me when back in stock', was: 'RRP', now: 'Our price', save: 'Save', monthly: (m) => `From ${m} per month`, freeOver: (m) => `Free UK delivery over ${m}`, untaxed: 'ex. VAT', taxed: 'inc. VAT', perKilo: (m) => `${m} per kg`, related: 'Related products', category: 'Category', brand: 'Brand', weight: 'Weight', nouns: ['Garden Spade', 'Tea Towel', 'Steel Kettle', 'Rain Jacket'] },
  { lang: 'de', currency: 'EUR', money: comma('€'), cart: 'In den Warenkorb', sku: ['Artikelnummer', 'Art.-Nr.', 'Bestellnummer', 'Produktnummer'], inStock: ['Auf Lager', 'sofort lieferbar', 'Sofort verfügbar, Lieferzeit 1-3 Tage', 'Lieferzeit: 2-3 Werktage'], outOfStock: ['Nicht auf Lager', 'Ausverkauft', 'Derzeit nicht verfügbar'], low: (n) => `Nur noch ${n} Stück verfügbar`, preorder: 'Vorbestellbar', notify: 'Benachrichtigen, wenn verfügbar', was: 'UVP', now: 'Jetzt nur', save: 'Sie sparen', monthly: (m) => `ab ${m} pro Monat`, freeOver: (m) => `Versandkostenfrei ab ${m}`, untaxed: 'exkl. MwSt.', taxed: 'inkl. 19 % MwSt. zzgl. Versandkosten', perKilo: (m) => `Grundpreis: ${m} / kg`, related: 'Ähnliche Artikel', category: 'Kategorie', brand: 'Marke', weight: 'Gewicht', nouns: ['Tischlampe', 'Eichenstuhl', 'Wanderrucksack', 'Kaffeemühle'] },
  { lang: 'fr', currency: 'EUR', money: comma('€', ' '), cart: 'Ajouter au panier', sku: ['Référence', 'Réf.', 'UGS', 'Code produit'], inStock: ['En stock', 'Disponible', 'En stock, expédié sous 24h'], outOfStock: ['Rupture de stock', 'Épuisé', 'Indisponible'], low: (n) => `Plus que ${n} en stock`, preorder: 'En précommande', notify: 'Prévenez-moi lorsque le produit est disponible', was: 'Prix conseillé', now: 'Prix', save: 'Économisez', monthly: (m) => `ou 3x ${m} sans frais`, freeOver: (m) => `Livraison offerte dès ${m} d'achat`, untaxed: 'HT', taxed: 'TTC', perKilo: (m) => `${m} / kg`, related: 'Vous aimerez aussi', category: 'Catégorie', brand: 'Marque', weight: 'Poids', nouns: ['Lampe de bureau', 'Chaise en chêne', 'Couverture en laine'] },
  { lang: 'es', currency: 'EUR', money: comma('€'), cart: 'Añadir al carrito', sku: ['SKU', 'Referencia', 'Ref.', 'Código'], inStock: ['En stock', 'Disponible', 'Hay existencias'], outOfStock: ['Agotado', 'Sin existencias', 'No disponible'], low: (n) => `Solo quedan ${n}`, preorder: 'Reserva', notify: 'Avísame cuando esté disponible', was: 'Antes', now: 'Ahora', save: 'Ahorras', monthly: (m) => `o 3 cuotas de ${m}`, freeOver: (m) => `Envío gratis a partir de ${m}`, untaxed: 'sin IVA', taxed: 'IVA incluido', perKilo: (m) => `${m} por kg`, related: 'Productos relacionados', category: 'Categoría', brand: 'Marca', weight: 'Peso', nouns: ['Lámpara de mesa', 'Silla de roble', 'Mochila'] },
  { lang: 'it', currency: 'EUR', money: before('€'), cart: 'Aggiungi al carrello', sku: ['COD', 'Codice articolo', 'Rif.', 'Codice'], inStock: ['Disponibile', 'In magazzino', 'Disponibilità immediata'], outOfStock: ['Esaurito', 'Non disponibile', 'Non disponibile al momento'], low: (n) => `Solo ${n} disponibili`, preorder: 'Preordina', notify: 'Avvisami quando disponibile', was: 'Prezzo di listino', now: 'Prezzo', save: 'Risparmi', monthly: (m) => `o 3 rate da ${m}`, freeOver: (m) => `Spedizione gratuita sopra ${m}`, untaxed: 'IVA esclusa', taxed: 'IVA inclusa', perKilo: (m) => `${m} al kg`, related: 'Prodotti correlati', category: 'Categoria', brand: 'Marca', weight: 'Peso', nouns: ['Lampada da tavolo', 'Sedia in rovere', 'Zaino'] },
  { lang: 'nl', currency: 'EUR', money: before('€'), cart: 'In winkelwagen', sku: ['Artikelnummer', 'SKU', 'Productcode'], inStock: ['Op voorraad', 'Direct leverbaar', 'Voor 22:00 besteld, morgen in huis'], outOfStock: ['Niet op voorraad', 'Uitverkocht'], low: (n) => `Nog maar ${n} op voorraad`, preorder: 'Pre-order', notify: 'Mail mij wanneer beschikbaar', was: 'Adviesprijs', now: 'Nu', save: 'Je bespaart', monthly: (m) => `Of in 3 termijnen van ${m}`, freeOver: (m) => `Gratis verzending vanaf ${m}`, untaxed: 'excl. btw', taxed: 'incl. btw', perKilo: (m) => `${m} per kg`, related: 'Gerelateerde producten', category: 'Categorie', brand: 'Merk', weight: 'Gewicht', nouns: ['Bureaulamp', 'Eiken stoel', 'Rugzak'] },
  { lang: 'pl', currency: 'PLN', money: comma('zł', ' '), cart: 'Do koszyka', sku: ['SKU', 'Indeks', 'Kod produktu', 'Symbol'], inStock: ['Dostępny', 'W magazynie', 'Wysyłka w 24 godziny'], outOfStock: ['Niedostępny', 'Produkt niedostępny', 'Brak w magazynie'], low: (n) => `Zostało ${n} szt.`, preorder: 'Przedsprzedaż', notify: 'Powiadom o dostępności', was: 'Cena regularna', now: 'Cena', save: 'Oszczędzasz', monthly: (m) => `Raty już od ${m}`, freeOver: (m) => `Darmowa dostawa od ${m}`, untaxed: 'netto', taxed: 'brutto', perKilo: (m) => `${m} / kg`, related: 'Podobne produkty', category: 'Kategoria', brand: 'Producent', weight: 'Waga', nouns: ['Lampa biurkowa', 'Krzesło dębowe', 'Plecak'] },
  { lang: 'cs', currency: 'CZK', money: (amount) => `${whole('', true)(amount).replaceAll(',', ' ')} Kč`, cart: 'Do košíku', sku: ['Kód', 'Katalogové číslo', 'Kód produktu'], inStock: ['Skladem', 'Skladem 5 ks', 'Ihned k odeslání'], outOfStock: ['Není skladem', 'Vyprodáno'], low: (n) => `Posledních ${n} ks skladem`, preorder: 'Předobjednávka', notify: 'Hlídat dostupnost', was: 'Původně', now: 'Cena', save: 'Ušetříte', monthly: (m) => `od ${m} měsíčně`, freeOver: (m) => `Doprava zdarma nad ${m}`, untaxed: 'bez DPH', taxed: 's DPH', perKilo: (m) => `${m} / kg`, related: 'Podobné produkty', category: 'Kategorie', brand: 'Značka', weight: 'Hmotnost', nouns: ['Stolní lampa', 'Dubová židle', 'Batoh'] },
  { lang: 'sv', currency: 'SEK', money: (amount) => `${whole('', true)(amount).replaceAll(',', ' ')} kr`, cart: 'Lägg i varukorgen', sku: ['Artikelnummer', 'Art.nr', 'Artikelnr'], inStock: ['I lager', 'Finns i lager', 'Skickas inom 1-3 dagar'], outOfStock: ['Slut i lager', 'Tillfälligt slut', 'Slutsåld'], low: (n) => `Endast ${n} kvar`, preorder: 'Förboka', notify: 'Bevaka produkten', was: 'Ord. pris', now: 'Nu', save: 'Du sparar', monthly: (m) => `Delbetala från ${m}/mån`, freeOver: (m) => `Fri frakt över ${m}`, untaxed: 'exkl. moms', taxed: 'inkl. moms', perKilo: (m) => `Jämförpris ${m}/kg`, related: 'Liknande produkter', category: 'Kategori', brand: 'Varumärke', weight: 'Vikt', nouns: ['Bordslampa', 'Ekstol', 'Ryggsäck'] },
  { lang: 'pt-BR', currency: 'BRL', money: before('R$'), cart: 'Adicionar ao carrinho', sku: ['SKU', 'Código', 'Ref.', 'Cód. do produto'], inStock: ['Em estoque', 'Disponível', 'Produto disponível'], outOfStock: ['Esgotado', 'Fora de estoque', 'Produto indisponível'], low: (n) => `Restam apenas ${n} unidades`, preorder: 'Pré-venda', notify: 'Avise-me quando chegar', was: 'De', now: 'Por', save: 'Economize', monthly: (m) => `ou 10x de ${m} sem juros`, freeOver: (m) => `Frete grátis acima de ${m}`, untaxed: 'sem impostos', taxed: 'à vista', perKilo: (m) => `${m} / kg`, related: 'Produtos relacionados', category: 'Categoria', brand: 'Marca', weight: 'Peso', nouns: ['Luminária de mesa', 'Cadeira de carvalho', 'Mochila'] },
  { lang: 'ru', currency: 'RUB', money: (amount) => `${whole('', true)(amount).replaceAll(',', ' ')} ₽`, cart: 'В корзину', sku: ['Артикул', 'Код товара', 'Арт.', 'Код'], inStock: ['В наличии', 'Есть в наличии', 'В наличии на складе'], outOfStock: ['Нет в наличии', 'Нет на складе', 'Товар закончился'], low: (n) => `Осталось ${n} шт.`, preorder: 'Предзаказ', notify: 'Сообщить о поступлении', was: 'Старая цена', now: 'Цена', save: 'Экономия', monthly: (m) => `от ${m} в месяц`, freeOver: (m) => `Бесплатная доставка от ${m}`, untaxed: 'без НДС', taxed: 'с НДС', perKilo: (m) => `${m} / кг`, related: 'Похожие товары', category: 'Категория', brand: 'Бренд', weight: 'Вес', nouns: ['Настольная лампа', 'Дубовый стул', 'Рюкзак'] },
  { lang: 'ja', currency: 'JPY', money: whole('円', true), cart: 'カートに入れる', sku: ['品番', '商品番号', '型番', '商品コード'], inStock: ['在庫あり', '在庫あり(即納)'], outOfStock: ['在庫切れ', '売り切れ', '品切れ'], low: (n) => `残り${n}点`, preorder: '予約受付中', notify: '再入荷のお知らせ', was: '定価', now: '販売価格', save: '割引', monthly: (m) => `月々${m}から`, freeOver: (m) => `${m}以上で送料無料`, untaxed: '税抜', taxed: '税込', perKilo: (m) => `100gあたり${m}`, related: '関連商品', category: 'カテゴリー', brand: 'ブランド', weight: '重量', nouns: ['デスクランプ', 'オークチェア', 'リュックサック'] },
]; // prettier-ignore
