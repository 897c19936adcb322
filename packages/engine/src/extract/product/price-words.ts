// The words by which pages tell the price of a product from other amounts: in names of classes, and in the text beside an amount.

/** Names of classes and ids, in the languages that programs are written in. */
export const NAME_WORDS = {
  price: /price|preis|prix|precio|preco|prezzo|prijs|cena|cenovka|kaina|hind|ár\b|fiyat|harga|amount|cost|tsena|stoimost/i,
  current: /current|actual|final|sale|special|now|our|offer|main|primary|deal|promo|discounted|new|buybox|today|total-price|price-?value/i,
  former:
    /(?:^|[\s_-])(?:old|was|former|previous|rrp|msrp|uvp|srp|strike\w*|striked|crossed?|line-through|barr[eé]e?|antes|compare-?at)(?:$|[\s_-])|oldprice|wasprice|(?:list|retail|original|regular)-?_?price|price-?_?-?(?:old|was|list|retail|original|before|crossed|strike\w*)|strike/i,
  /** Money for something else. */
  other:
    /ship|deliver|versand|livraison|spedizione|env[ií]o|frete|install?ment|month|credit|financ|sav(?:e|ing)|discount|coupon|voucher|deposit|warranty|insurance|bonus|threshold|(?:^|[\s_-])(?:fees?|points?|tax|vat)(?:$|[\s_-])/i,
  /** The price of a measure. */
  unit: /unit-?price|per-|base-?price|basic-price|(?:^|[\s_-])unit(?:$|[\s_-])/i,
  /** Amounts of the frame: filters, carts, hints. */
  frame: /filter|facet|range|cart|basket|total|tooltip|from-price/i,
} as const;
/** Names that contain such a word and mean the product's own price. */
export const HARMLESS_WORD = /add-?to-?(?:cart|basket)|incl\w*[-_](?:tax|vat)|non-?sale/gi;

/** What the text beside an amount says of it, by what it makes of the amount. */
export const TEXT_WORDS = {
  delivery:
    /shipping|delivery|postage|import fee|versand|lieferung|livraison|frais de port|spedizione|consegna|envío|entrega|frete|verzend|frakt|fragt|levering|toimitus|dostaw|wysył|doprav|poštnin|dostav|szállít|livrare|доставк|kargo|nakliye|送料|運費|运费|宅配|取貨|配送|運送|滿額|満|배송/i,
  threshold: /orders? (?:over|above|from)|free over|min(?:imum)? order|above|over|ab einem|dès .* d'achat|a partire da|od kwoty|nad|från/i,
  instalment:
    /per month|\/ ?(?:month|mo\b|mes\b|mois|monat|mese|maand|mån|mnd|md\b|kk\b|mies|měs|mes\.|мес|міс|ay\b)|a month|monthly|monatlich|par mois|al mese|mensu|per maand|miesięcz|měsíčn|mesačn|havi|lunar|ежемесячн|в месяц|taksit|instal|payments? of|interest.free|klarna|afterpay|affirm|\brate[nr]?\b|mensil|ratal|raty?\b|splátk|cuota|parcela|\dx de|x sans frais|in \d termijn|期|分割|月々/i,
  saving:
    /sav(?:e|ing)|you save|sie sparen|spare|rabatt|ersparnis|économi|risparmi|ahorr|bespaar|spar\b|säästä|oszczęd|ušetř|ušetr|megtakar|econom|спестяв|скидк|экономи|вигода|discount|coupon|gutschein|voucher|cashback|poupe|obniżk|割引|お得/i,
  untaxed:
    /excl|ex\.? ?vat|ex\.? tax|without tax|ohne mwst|netto|hors taxe|\bHT\b|\+ ?iva|senza iva|sin iva|sem iva|brez ddv|bez dph|bez vat|bez pdv|без пдв|без ддс|без ндс|ekskl|eks\.|exkl|moms ej|nettó|税抜|税別/i,
  unit: /unit price|grundpreis|prix (?:au|du) (?:kg|kilo|litre)|prezzo al (?:kg|litro)|precio por (?:kg|kilo|litro)|stuksprijs|jämförpris|cena za (?:kg|l|jednotk|jednostk)|per (?:kg|l|litre|liter|100|m²|unit|piece)/i,
  former:
    /\bwas\b|previously|original(?:ly| price)|rrp|msrp|uvp|\bstatt\b|bisher|vorher|au lieu de|prix (?:conseillé|d'origine|initial|barré)|prezzo (?:di listino|originale)|\bantes\b|precio (?:original|anterior)|\bavant\b|\bprima\b|adviesprijs|\bvan:|oorspronkelijke|tidigare|ord\.? pris|ordinarie|\bfør|ovh|zamiast|najniższa|pierwotna|původn|pôvodn|korábban|eredeti|redna cena|stara cena|старая цена|первоначальн|建議售價|建议零售价|市場價|市场价|定価|元の価格|通常価格|原價|原价|list price|regular price|normal ?preis|normalpris|ursprünglich|recommended|preço (?:original|normal)/i,
  credit: /points?\b|reward|trade[- ]in|gift card|warranty|insurance|deposit|pfand|approx|約|caution|consigne/i,
  from: /(?:^|[^\p{L}])(?:from|starting at|as low as|ab|à partir de|dès|desde|a partir de|a partire da|da|vanaf|från|fra|alkaen|od|від|от|mulai)[\s:]*$|から$|起$/iu,
  price:
    /(?:price|now|offer|preis|jetzt|prix|precio|preço|prezzo|adesso|prijs|pris|hinta|cena|cijena|kaina|hind|ár|preț|pret|цена|ціна|бағасы|τιμή|fiyat|harga|giá|ราคา|價|价|価格|가격|السعر|מחיר)(?!\p{L}).{0,14}$/iu,
} as const;
/** What behind an amount makes it a saving or the worth of a gift. */
export const OFF_TEXT =
  /^\s?(?:off|value|saved?|less|cheaper|credit|cash ?back|rabatt|gespart|de (?:réduction|remise|descuento|desconto)|di sconto|korting|rabat|taniej|sleva|zľava|скидк)/iu;
/** A price of a measure: `$0.66 / Ounce`. */
export const UNIT_TEXT =
  /^\s?(?:\/|per|je|pro|par|al|za|por|للـ)\s?(?:\d+\s?)?(?:oz|ounce|fl|kg|kilo\w*|g|gram\w*|lb|pound|l|ml|cl|litr\w*|liter|m²|m2|m3|sq|count|100|each unit|szt|st|stk|stück|pce|unit[éà]?|unidad|piece|pièce|шт|кг|л)(?!\p{L})/iu;
