// The words by which shops of many languages say whether something can be bought.
import { findPrices } from '../price/price.ts';
import type { AvailabilityState } from './state.ts';

/** A phrase that a text holds. */
export interface FoundPhrase {
  readonly state: AvailabilityState;
  readonly phrase: string;
}

const WORDS: readonly (readonly [AvailabilityState, string])[] = [
  [
    'discontinued',
    `discontinued|no longer (?:available|sold|made|produced|in production)|nicht mehr (?:lieferbar|verfügbar|erhältlich)|n'est plus disponible|plus commercialisé|
     produit arrêté|fuori produzione|non più disponibile|descatalogado|ya no está disponible|descontinuado|niet meer leverbaar|uit assortiment|utgått|udgået|
     produkt wycofany|wycofany z oferty|снят с производства|знято з виробництва|販売終了|生産終了|停產|停产|단종`,
  ],
  [
    'out_of_stock',
    `out[ -]of[ -]stock|(?:temporarily |currently |completely )?sold[ -]out|(?:currently |temporarily )unavailable|not available(?! in (?:your|this))|unavailable|
     not in stock|no stock|0 in stock|back in stock soon|out of print|notify me when (?:it'?s |this is )?(?:available|back)|email me when (?:available|back)|
     (?:this )?(?:item|product|listing) (?:is )?(?:no longer|not|currently unavailable)|this listing (?:was )?ended|waiting list only|
     ausverkauft|nicht (?:auf lager|vorrätig|verfügbar|lieferbar)|derzeit nicht (?:verfügbar|lieferbar|auf lager)|zur ?zeit nicht (?:verfügbar|lieferbar)|
     momentan nicht (?:verfügbar|lieferbar)|vergriffen|
     en rupture(?: de stock)?|rupture de stock|épuisé|indisponible|hors stock|non disponible|actuellement indisponible|victime de son succès|
     esaurito|non disponibile|attualmente non disponibile|fuori stock|terminato|
     agotado|sin stock|sin existencias|no disponible|fuera de stock|no hay existencias|
     esgotado|sem estoque|sem stock|indisponível|fora de estoque|produto indisponível|
     uitverkocht|niet op voorraad|niet beschikbaar|tijdelijk uitverkocht|niet leverbaar|
     slutsåld|(?:tillfälligt |tyvärr )?slut(?: i lager| på webben)?|ej i lager|inte i lager|finns ej i lager|utsolgt|ikke på lager|udsolgt|ikke på lager|loppuunmyyty|ei varastossa|loppu varastosta|
     uppselt|välja müüdud|läbi müüdud|laos otsas|izpārdots|nav pieejams|nav noliktavā|išparduota|neturime|nėra sandėlyje|
     brak w magazynie|niedostępny|niedostępna|produkt niedostępny|wyprzedan[ey]|chwilowo niedostępny|brak towaru|towar niedostępny|
     vyprodáno|není skladem|nedostupné|nedostupný|momentálně nedostupné|vypredané|nie je na sklade|nedostupný|
     elfogyott|nincs készleten|nem elérhető|nem kapható|nincs raktáron|stoc epuizat|indisponibil|nu este în stoc|epuizat|
     razprodano|ni na zalogi|ni dobavljivo|rasprodano|nije dostupno|nema na skladištu|nema na zalihi|nedostupno|rasprodato|nema na stanju|
     изчерпан|няма наличност|не е наличен|изчерпано количество|нет в наличии|распродано|нет на складе|товар закончился|отсутствует|
     немає в наявності|нема в наявності|розпродано|закінчився|εξαντλήθηκε|εξαντλημένο|μη διαθέσιμο|tükendi|stokta yok|stokta bulunmamaktadır|temin edilemiyor|
     אזל מהמלאי|אזל|לא זמין|נפד|غير متوفر|نفدت الكمية|نفذت الكمية|نفد من المخزون|ناموجود|
     स्टॉक में नहीं|สินค้าหมด|หมด|hết hàng|tạm hết hàng|stok habis|habis terjual|stok kosong|kehabisan stok|
     在庫切れ|在庫なし|品切れ|売り切れ|完売|入荷待ち|品切|缺货|缺貨|售罄|售完|已售完|無貨|无货|補貨中|暂时缺货|已下架|품절|일시품절|재고 없음`,
  ],
  [
    'preorder',
    `pre-?order(?: now)?|available for pre-?order|coming soon|vorbestellen|vorbestellbar|jetzt vorbestellen|erscheint (?:am|in)|précommande(?:r)?|pré-commande|
     disponible en précommande|preordina|preordine|prenota ora|in prenotazione|reservar ahora|preventa|pre-?venta|pré-venda|em pré-venda|reserveer nu|
     pre-?orderen|förhandsboka|förbeställ|forudbestil|forhåndsbestill|ennakkotilaa|przedsprzedaż|zamów przed premierą|předobjednat|předobjednávka|
     predobjednať|előrendelhető|előrendelés|precomandă|предзаказ|передзамовлення|предварителна поръчка|prednaročilo|prednarudžba|ön sipariş|
     予約受付中|予約注文|预售|預購|예약구매|예약판매|đặt trước`,
  ],
  [
    'backorder',
    `on back-?order|back-?order(?:ed)?|available on back-?order|more on the way|ships (?:with)?in \\d+ (?:weeks|months)|nachbestellt|wird nachbestellt|
     en réapprovisionnement|réapprovisionnement en cours|in arrivo|in riassortimento|bajo pedido|sob encomenda|por encargo|op bestelling|nabestelling|
     beställningsvara|bestillingsvare|tilaustuote|na zamówienie|na objednávku|na objednanie|rendelésre|la comandă|под заказ|під замовлення|по поръчка|
     po naročilu|po narudžbi|sipariş üzerine|お取り寄せ|取り寄せ|接受預訂`,
  ],
  [
    'made_to_order',
    `made[ -]to[ -]order|made to measure|custom[ -]made|built to order|auf bestellung gefertigt|maßanfertigung|wird für sie (?:an)?gefertigt|sonderanfertigung|
     fabriqué à la commande|fabriqué sur commande|sur mesure|prodotto su ordinazione|su misura|hecho por encargo|hecho a medida|feito por encomenda|
     op maat gemaakt|受注生産|定制生产|客製化`,
  ],
  [
    'limited',
    `only \\d+ (?:left|remaining|available|in stock)(?: in stock)?|\\d+ (?:left|remaining)(?: in stock)?|low stock|limited (?:stock|availability|quantit(?:y|ies))|last (?:one|items?|pieces?|chance)(?: in stock)?|
     almost (?:gone|sold out)|few left|hurry,? only|nur noch \\d+|nur noch wenige|wenige (?:verfügbar|exemplare|stück)|geringer bestand|letzte(?:s|r)? (?:stück|exemplar\\w*|artikel)|
     plus que \\d+|il ne reste (?:plus )?que \\d+|stock limité|dernières? pièces?|derniers? articles?|bientôt épuisé|solo \\d+|ne rimangono \\d+|rimangono solo \\d+|ultimi pezzi|ultimi \\d+|disponibilità limitata|
     últimas unidades|solo quedan \\d+|quedan \\d+|pocas unidades|últimas peças|restam \\d+|apenas \\d+|nog maar \\d+|nog \\d+ (?:op voorraad|stuks)|beperkte voorraad|laatste stuks|laatste exemplaren|
     få kvar|endast \\d+ kvar|få på lager|kun \\d+ (?:igen|tilbage)|vain \\d+ jäljellä|ostatnie sztuki|ostatni[ea]? \\d+|zostało \\d+|mało sztuk|poslední kusy?|posledních? \\d+|posledné kusy|
     utolsó darabok|már csak \\d+|ultimele (?:bucăți|produse)|stoc limitat|zadnji kosi|zadnji komadi?|последна бройка|последни бройки|ограничено количество|мало|осталось \\d+|заканчивается|залишилось \\d+|
     son \\d+ (?:ürün|adet)|残り\\d+|残りわずか|在庫わずか|あと\\d+|僅剩\\d+|仅剩\\d+|剩下\\d+|库存紧张|남은 수량|chỉ còn \\d+|เหลือ \\d+|tersisa \\d+|sisa \\d+`,
  ],
  [
    'in_stock',
    `(?:\\d+\\+? |now |currently |available )?in[ -]stock|in store and online|available(?: now| to order| online| for (?:delivery|shipping|collection)|!)?(?!\\s\\p{L})|ready to ship|ships (?:today|now|within|in \\d+ (?:hours|days|business))|
     (?:more than )?\\d+ available|usually (?:ships|dispatched)|immediate(?:ly)? (?:available|delivery|dispatch)|
     auf lager|lagernd|sofort (?:lieferbar|verfügbar|versandfertig)|lieferbar|verfügbar|vorrätig|ab lager|versandfertig|in den nächsten tagen lieferbar|
     en stock|disponible(?: immédiatement| de suite| en ligne| en stock)?|stock disponible|expédié sous|en existencia|
     disponibile|disponibilità immediata|in magazzino|pronta consegna|disponibilità:? (?:sì|disponibile)|
     hay existencias|en almacén|disponível|em (?:stock|estoque)|pronta entrega|
     op voorraad|direct leverbaar|beschikbaar|voorradig|morgen in huis|vandaag verzonden|
     i lager|finns i lager|på lager|varastossa|saatavilla|til á lager|laos olemas|laos|saadaval|noliktavā|ir pieejams|pieejams|sandėlyje|turime|yra sandėlyje|
     na magazynie|w magazynie|dostępn[yae]|dostępność:? (?:jest|duża|średnia)|wysyłka w|na stanie|
     skladem|na skladě|skladom|na sklade|dostupn[éýá]|ihned k odeslání|raktáron|készleten|elérhető|kapható|în stoc|in stoc|disponibil|stoc suficient|
     na zalogi|dobavljivo|na voljo|na skladištu|na zalihi|dostupno|raspoloživo|na stanju|na lageru|
     в наличност|наличен|в наличии|есть в наличии|в наявності|є в наявності|на складе|на складі|доступен|доступно|готов к отправке|готовий до відправки|
     σε απόθεμα|διαθέσιμο|άμεσα διαθέσιμο|stokta(?: var)?|stok var|mevcut|במלאי|זמין במלאי|متوفر|متوفر في المخزون|موجود|
     स्टॉक में|มีสินค้า|พร้อมส่ง|còn hàng|tersedia|stok tersedia|ready stock|在庫あり|在庫有り|即納|有货|有貨|现货|現貨|库存充足|재고 있음|구매 가능`,
  ],
];

/** What a button or link says that puts the product into the basket. */
const BUY = `add(?:ed)? (?:item )?to (?:my |your |shopping )?(?:cart|basket|bag|trolley|order)|buy (?:it )?now|buy (?:from|at|on|online|direct)[\\p{L}\\s]{0,25}|buy|purchase|order now|start order|(?:jetzt )?in den (?:waren|einkaufs)korb(?: legen)?|in den einkaufswagen|
  jetzt (?:kaufen|bestellen)|sofort[- ]kaufen|zum warenkorb hinzufügen|kaufen|bestellen|ajouter (?:au|à mon|dans le) (?:panier|cabas)|acheter(?: maintenant)?|je commande|commander|
  aggiungi al (?:carrello|cestino)|acquista(?: ora)?|compra(?: ora| subito| ahora)?|metti nel carrello|(?:añadir|agregar) (?:al|a la|a mi) (?:carrito|carro|cesta|bolsa)(?: de (?:la )?compras?)?|comprar(?: ya| agora| ahora)?|
  adicionar (?:ao|à) (?:carrinho|cesto|sacola|cesta)|(?:in|aan) (?:mijn )?(?:winkelwagen|winkelmand|winkelmandje)(?: toevoegen)?|toevoegen aan (?:winkelwagen|winkelmand)|bestel(?: nu)?|koop(?: nu)?|
  lägg (?:i|till i) (?:varukorg(?:en)?|kundvagn(?:en)?|korg)|köp(?: nu)?|handla|legg i (?:handlekurv(?:en)?|handlevogn)|kjøp(?: nå)?|læg i (?:indkøbs)?kurv(?:en)?|tilføj til kurv|køb(?: nu)?|
  lisää (?:ostos)?koriin|osta(?: nyt)?|setja í körfu|lisa (?:ostu)?korvi|pievienot grozam|ielikt grozā|likt grozā|pirkt|įdėti į krepšelį|į krepšelį|pirkti|
  (?:dodaj |wrzuć )?do koszyka|kup(?: teraz)?|kupuję|zamów|(?:přidat |vložit |dát )?do košíku|koupit|objednat|(?:pridať |vložiť )?do košíka|kúpiť|
  (?:tedd |hozzáadás )?(?:a )?kosárba(?: teszem| rakom)?|megveszem|megrendelem|vásárlás|adaugă în (?:coș|cos)|adauga in cos|cumpără(?: acum)?|comandă|
  (?:dodaj )?v košarico|naroči|kupi|dodaj u košaricu|u košaricu|dodaj u korpu|naruči|
  (?:добави|сложи) в (?:количка(?:та)?|кошница(?:та)?)|купи|поръчай|(?:добавить )?в корзину|купить(?: сейчас| в 1 клик| в один клик| онлайн| со скидкой| с доставкой)?|хочу купить|быстр(?:ый|ая) (?:заказ|покупка)|(?:положить|отложить) в корзину|забронировать|оформить покупку|заказать|оформить заказ|(?:додати )?(?:до|в|у) (?:кошика?|кошик)|купити|замовити|себетке|сатып алу|
  προσθήκη στο καλάθι|στο καλάθι|αγορά|sepete ekle|satın al|hemen al|הוסף? ?ל?סל|הוספה לסל|קנה עכשיו|أضف (?:إلى|الى) (?:السلة|العربة|عربة التسوق)|اشتر الآن|افزودن به سبد خرید|
  कार्ट में जोड़ें|अभी खरीदें|เพิ่มลงในรถเข็น|หยิบใส่ตะกร้า|ซื้อเลย|thêm vào giỏ(?: hàng)?|mua ngay|đặt mua|tambah ke (?:keranjang|troli)|masukkan keranjang|beli(?: sekarang)?|
  カートに入れる|買い物かごに入れる|購入する|今すぐ(?:買う|購入)|ご購入手続きへ|加入(?:購物車|购物车)|放入購物車|加到購物車|立即(?:購買|购买)|我要買|直接購買|장바구니(?:에)? ?담기|장바구니|구매하기|바로구매`;

/** Words of non-Latin and Latin scripts are bounded by anything but letters; scripts without blanks need no bound. */
const bounded = (words: string, flags: string): RegExp =>
  new RegExp(
    `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])(?:${words.replace(/\n\s*/g, '')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])`,
    flags,
  );

const PHRASES = WORDS.map(([state, words]) => ({ state, pattern: bounded(words, 'iu') }));
const BUY_PATTERN = new RegExp(`^[\\s\\p{P}\\p{S}]*(?:${BUY.replace(/\n\s*/g, '')})[\\s\\p{P}\\p{S}]*$`, 'iu');
const NEGATED =
  /(?<!\p{L})(?:not|isn'?t|no longer|when|once|until|if|nicht|kein\w*|wenn|sobald|non|pas|n'est|quand|lorsque|no|cuando|não|quando|se|niet|wanneer|inte|ikke|ei|når|när|nie|gdy|kiedy|není|až|nem|ha|nu|când|ni|ko|nije|kada|не|нет|когда|коли|якщо|когато|δεν|değil)(?!\p{L})/iu;

/** The availability that `text` speaks of; the most specific and most negative phrase decides. Undefined without one. */
export function findPhrase(text: string): FoundPhrase | undefined {
  for (const { state, pattern } of PHRASES) {
    const match = pattern.exec(text);
    if (!match) continue;
    if (state === 'in_stock' && NEGATED.test(text.slice(Math.max(0, match.index - 40), match.index))) return undefined;
    return { state, phrase: match[0].trim() };
  }
  return undefined;
}

/** True for an offer to tell when the product comes back; a form for it is often there beside a working buy button. */
export function isNotice(phrase: string): boolean {
  return /notify|email me|back in stock soon/i.test(phrase);
}

/** True for the whole text of a button that buys. */
export function isBuyText(text: string): boolean {
  if (text.length > 60) return false;
  if (BUY_PATTERN.test(text)) return true;
  const [price] = /\d/.test(text) ? findPrices(text) : [];
  return (
    price !== undefined &&
    BUY_PATTERN.test((text.slice(0, price.start) + text.slice(price.end)).replace(/\s(?:for|für|pour|per|por|voor|za|за|от|from)\s*$/i, ''))
  );
}

/** Names that programs give to the control that buys: `add-to-cart`, `btnAddToBasket`, `buy_now`. */
const BUY_NAME =
  /add[-_ ]?(?:item[-_ ]?)?(?:to|2|2to)[-_ ]?(?:shopping[-_ ]?)?(?:cart|basket|bag|trolley)|(?:cart|basket)[-_ ]?add(?![a-z])|add[-_]?cart|(?:cart|basket|bag|panier|korzina|carrito|carrello|koszyk|kosik|warenkorb|sepet)\/(?:add|ajout|dodaj|new|item)|buy[-_ ]?(?:now|btn|button|box[-_]?btn)|btn[-_ ]?(?:buy|cart)|in[-_]?cart[-_]?button|purchase[-_ ]?(?:btn|button)|add[-_]product(?![a-z])|\b(?:buy|purchase)\w*\(|\badd\w*(?:cart|basket)\w*\(/i;
/** A label that says in more words what it does: `Ajouter ... à votre panier`. */
const BUY_LABEL =
  /(?:add|ajouter|hinzufügen|in den|legen|aggiungi|añadir|agregar|adicionar|toevoegen|lägg|læg|legg|lisää|dodaj|přidat|vložit|pridať|vložiť|tedd|adaugă|adauga|добав|сложи|додати|pridėti|įdėti|pievienot|lisa|ekle).{0,120}(?:cart|basket|bag|panier|korb|carrello|carrito|cesta|carro|carrinho|cesto|winkel\w+|varukorg|kundvagn|kurv|koriin|koszyk|košík|kosár|coș|cos|корзин|количк|кошик|кошниц|krepšel|groz|korv|sepet)/iu;

/** True for the class names, ids and labels of a control that puts the product into the basket. */
export function isBuyName(words: string): boolean {
  return BUY_NAME.test(words) || BUY_LABEL.test(words);
}

const QUANTITY: readonly RegExp[] = [
  /(?<!\p{L})(?:only|just|nur noch|plus que|reste (?:plus )?que|solo quedan|quedan|solo|restam|apenas|nog maar|endast|kun|vain|zostało|ostatnie|posledních?|már csak|осталось|залишилось|son|残り|あと|僅剩|仅剩|剩下|chỉ còn|tersisa|sisa|เหลือ)\s?:?(\d{1,6})(?![\d.,]*\d)/iu,
  /(?<![\d.,])(\d{1,6})\s?(?:left|remaining|in stock|available|pieces? available|stück (?:verfügbar|auf lager)|auf lager|verfügbar|en stock|disponibili|disponibles|disponíveis|em estoque|op voorraad|i lager|på lager|szt\.? (?:dostępn|na magazynie)|ks skladem|skladem|db raktáron|în stoc|шт\.? в наличии|adet stokta)/iu,
  /(?:stock|quantity available|lagerbestand|bestand|disponibilità|existencias|stan magazynowy|在庫数?|库存|庫存|재고)\s?[:：]\s?(\d{1,6})(?![\d.,]*\d)/iu,
];

/** The number of pieces that `text` says are there: `Only 5 left`, `12 in stock`. Undefined for `more than 10` and without one. */
export function findQuantity(text: string): number | undefined {
  if (/more than|over|\d\+|mehr als|über|plus de|più di|más de|mais de|meer dan|fler än|ponad|více než|более|более чем|понад/iu.test(text))
    return undefined;
  for (const pattern of QUANTITY) {
    const match = pattern.exec(text);
    if (match) return Number(match[1]);
  }
  return undefined;
}
