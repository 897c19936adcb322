<?php
// A shop in the class names and structure that WooCommerce publishes: lists with sale prices, product pages, tabs, JSON-LD.
define('GARDEN_SHOP_PER_PAGE', 9);

add_action('init', function () {
    register_post_type('product', ['public' => true, 'label' => 'Products', 'has_archive' => 'shop', 'rewrite' => ['slug' => 'product'], 'supports' => ['title', 'editor', 'excerpt'], 'show_in_rest' => true]);
    register_taxonomy('product_cat', 'product', ['public' => true, 'label' => 'Product categories', 'rewrite' => ['slug' => 'product-category']]);
}, 5);
add_action('pre_get_posts', function ($query) {
    if (!is_admin() && $query->is_main_query() && is_shop_list()) {
        $query->set('posts_per_page', GARDEN_SHOP_PER_PAGE);
        $query->set('orderby', 'title');
        $query->set('order', 'ASC');
    }
});
add_filter('body_class', fn($classes) => is_shop_list() || is_singular('product') ? [...$classes, 'woocommerce', 'woocommerce-page'] : $classes);
add_action('template_redirect', function () {
    if (is_shop_list()) { shop_list(); exit; }
    if (is_singular('product')) { shop_product(); exit; }
});

// What themes put into a footer: without it only the sitemap leads to the shop, the months and the pages.
add_action('wp_footer', function () {
    echo '<nav class="footer-navigation" aria-label="Footer"><ul><li><a href="', get_post_type_archive_link('product'), '">Shop</a></li>';
    wp_list_pages(['title_li' => '']);
    wp_get_archives();
    echo '</ul></nav>';
});

function is_shop_list(): bool { return is_post_type_archive('product') || is_tax('product_cat'); }

function shop_amount(string $amount): string {
    return '<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&#36;</span>' . $amount . '</bdi></span>';
}

function shop_price(int $id): string {
    [$regular, $sale] = [get_post_meta($id, 'regular_price', true), get_post_meta($id, 'sale_price', true)];
    return $sale ? '<del aria-hidden="true">' . shop_amount($regular) . '</del> <ins>' . shop_amount($sale) . '</ins>' : shop_amount($regular);
}

function shop_crumbs(string $last): string {
    return '<nav class="woocommerce-breadcrumb"><a href="' . home_url('/') . '">Home</a>&nbsp;&#47;&nbsp;<a href="' . get_post_type_archive_link('product') . '">Shop</a>&nbsp;&#47;&nbsp;' . $last . '</nav>';
}

function shop_list(): void {
    global $wp_query;
    get_header();
    $title = is_tax() ? single_term_title('', false) : 'Shop';
    [$from, $total] = [1 + ($wp_query->query_vars['paged'] ? $wp_query->query_vars['paged'] - 1 : 0) * GARDEN_SHOP_PER_PAGE, $wp_query->found_posts];
    echo '<div class="woocommerce">', shop_crumbs($title);
    echo "<header class=\"woocommerce-products-header\"><h1 class=\"woocommerce-products-header__title page-title\">$title</h1></header>";
    echo '<p class="woocommerce-result-count">Showing ', $from, '&ndash;', min($total, $from + GARDEN_SHOP_PER_PAGE - 1), " of $total results</p>";
    echo '<form class="woocommerce-ordering" method="get"><select name="orderby" class="orderby"><option value="menu_order" selected>Default sorting</option><option value="price">Sort by price</option></select></form>';
    echo '<ul class="products columns-3">';
    while (have_posts()) {
        the_post();
        $id = get_the_ID();
        $cart = esc_url(add_query_arg('add-to-cart', $id));
        $sale = get_post_meta($id, 'sale_price', true) ? '<span class="onsale">Sale!</span>' : '';
        echo "<li class=\"product type-product post-$id\"><a href=\"", get_permalink(), "\" class=\"woocommerce-LoopProduct-link woocommerce-loop-product__link\">$sale<h2 class=\"woocommerce-loop-product__title\">", get_the_title(), '</h2>';
        echo '<div class="star-rating" role="img" aria-label="Rated 4.00 out of 5"><span style="width:80%">Rated <strong class="rating">4.00</strong> out of 5</span></div>';
        echo '<span class="price">', shop_price($id), "</span></a><a href=\"$cart\" data-quantity=\"1\" class=\"button product_type_simple add_to_cart_button ajax_add_to_cart\" data-product_id=\"$id\" data-product_sku=\"", get_post_meta($id, 'sku', true), '" rel="nofollow">Add to cart</a></li>';
    }
    echo '</ul><nav class="woocommerce-pagination">', paginate_links(['type' => 'list', 'prev_text' => '&larr;', 'next_text' => '&rarr;']), '</nav></div>';
    get_footer();
}

function shop_product(): void {
    the_post();
    $id = get_the_ID();
    [$sku, $stock, $grams] = [get_post_meta($id, 'sku', true), (int) get_post_meta($id, 'stock', true), get_post_meta($id, 'grams', true)];
    get_header();
    $price = get_post_meta($id, 'sale_price', true) ?: get_post_meta($id, 'regular_price', true);
    echo '<div class="woocommerce">', shop_crumbs(get_the_title());
    echo "<div id=\"product-$id\" class=\"product type-product\"><div class=\"summary entry-summary\"><h1 class=\"product_title entry-title\">", get_the_title(), '</h1><p class="price">', shop_price($id), '</p>';
    echo '<div class="woocommerce-product-details__short-description"><p>', get_the_excerpt(), '</p></div>';
    echo $stock > 0 ? "<p class=\"stock in-stock\">$stock in stock</p>" : '<p class="stock out-of-stock">Out of stock</p>';
    echo "<form class=\"cart\" method=\"post\"><div class=\"quantity\"><input type=\"number\" name=\"quantity\" value=\"1\" class=\"input-text qty text\"></div><button type=\"submit\" name=\"add-to-cart\" value=\"$id\" class=\"single_add_to_cart_button button alt\">Add to cart</button></form>";
    echo "<div class=\"product_meta\"><span class=\"sku_wrapper\">SKU: <span class=\"sku\">$sku</span></span>", get_the_term_list($id, 'product_cat', '<span class="posted_in">Category: ', ', ', '</span>'), '</div></div>';
    echo '<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li class="description_tab" role="tab"><a href="#tab-description">Description</a></li><li class="additional_information_tab" role="tab"><a href="#tab-additional_information">Additional information</a></li></ul>';
    echo '<div class="woocommerce-Tabs-panel panel wc-tab" id="tab-description" role="tabpanel"><h2>Description</h2>', apply_filters('the_content', get_the_content()), '</div>';
    echo "<div class=\"woocommerce-Tabs-panel panel wc-tab\" id=\"tab-additional_information\" role=\"tabpanel\"><h2>Additional information</h2><table class=\"woocommerce-product-attributes shop_attributes\"><tr class=\"woocommerce-product-attributes-item\"><th class=\"woocommerce-product-attributes-item__label\">Weight</th><td class=\"woocommerce-product-attributes-item__value\"><p>$grams g</p></td></tr></table></div></div></div>";
    if ($id % 2) echo '<script type="application/ld+json">', json_encode(['@context' => 'https://schema.org/', '@type' => 'Product', 'name' => get_the_title(), 'sku' => $sku, 'offers' => [['@type' => 'Offer', 'price' => $price, 'priceCurrency' => 'USD', 'availability' => 'http://schema.org/' . ($stock > 0 ? 'InStock' : 'OutOfStock')]]]), '</script>';
    echo '</div>';
    get_footer();
}
