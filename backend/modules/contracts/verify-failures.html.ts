import { pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { codeForm } from './verify-page.html.js';

/** An unknown code can be corrected where it is said that it is unknown. */
export const verifyFailures = pageFailures('/verificar', ({ code }, path) => ({
  status: 404,
  title: 'Código desconhecido',
  detail: `Confira o código. ${code === 'receipts.code_not_found' ? 'Nenhum recibo' : 'Nenhuma assinatura'} tem este código.`,
  action: codeForm(/^\/verificar\/([\w-]{1,40})$/.exec(path)?.[1] ?? ''),
}));
