import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { askAuth } from '../../lib/auth-http.js';
import { copyText } from '../../lib/clipboard.js';
import { ButtonRow } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import classes from './account.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onKept: () => void;
}

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success('Códigos copiados');
    else toast.error('Não foi possível copiar', { description: 'Selecione os códigos e copie.' });
  };

  return (
    <div className={classes.sheet}>
      <p className={classes.text}>
        Perdeu o celular? Use um destes códigos no lugar do aplicativo. Cada um funciona uma única vez. Guarde
        em um lugar seguro: eles não serão mostrados de novo.
      </p>
      <ol className={classes.codes} aria-label="Códigos de recuperação">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <ButtonRow>
        <Button variant="default" onClick={() => void copy()} leftSection={<Icon name="copy" size={18} />}>
          Copiar
        </Button>
        <Button
          variant="default"
          onClick={() => download(codes)}
          leftSection={<Icon name="drop" size={18} />}
        >
          Baixar
        </Button>
      </ButtonRow>
      <SheetActions>
        <Button onClick={onKept}>Guardei os códigos</Button>
      </SheetActions>
    </div>
  );
}

function download(codes: readonly string[]): void {
  const text = `Códigos de recuperação do Rende (cada um funciona uma única vez)\n\n${codes.join('\n')}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'rende-codigos-de-recuperacao.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** Number of unused recovery codes. */
export function useRecoveryCodes() {
  return useQuery({
    queryKey: ['account', 'recovery-codes'],
    queryFn: async () => (await askAuth<{ remaining: number }>('GET', 'recovery-codes')).remaining,
  });
}

/** Replaces all recovery codes; only this answer contains the new ones. */
export const newRecoveryCodes = async (): Promise<string[]> =>
  (await askAuth<{ codes: string[] }>('POST', 'recovery-codes')).codes;
