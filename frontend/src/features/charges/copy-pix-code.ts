import { copyText } from '../../lib/clipboard.js';
import { toast } from '../../ui/toast.js';

/** Copies a Pix code, and shows a message. */
export async function copyPixCode(code: string): Promise<void> {
  if (await copyText(code))
    toast.success('Código Pix copiado!', { description: 'Cole no app do seu banco.' });
  else toast.error('Não foi possível copiar', { description: 'Selecione o código e copie.' });
}
