/** First part of the addresses of pages that the server writes: they are no pages of the application. */
export const WRITTEN_PAGES: readonly string[] = ['p', 'pagar', 'confirmar', 'verificar', 'convite', 'recibo'];

/**
 * First part of the addresses that hold a token: these pages send no Referer. The service worker answers for some of
 * them.
 */
export const TOKEN_PAGES: readonly string[] = [
  'convite',
  'aceitar',
  'assinar',
  'confirmar',
  'minha-area',
  'pagar',
  'verificar',
  'recibo',
  'avisos',
  'p',
];
