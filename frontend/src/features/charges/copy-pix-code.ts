import { copyText } from '../../lib/clipboard.js';
import { toast } from '../../ui/toast.js';

/** Copies a Pix code, with a toast that says where to paste it, for the payer or for the trainer. */
export async function copyPixCode(code: string, next = 'Cole no app do seu banco.'): Promise<void> {
  if (await copyText(code)) toast.success('Código Pix copiado!', { description: next });
  else toast.error('Não foi possível copiar', { description: 'Selecione o código e copie.' });
}
