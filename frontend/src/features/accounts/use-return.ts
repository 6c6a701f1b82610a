import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { toast } from '../../ui/toast.js';
import { providerNames } from './providers.js';
import { wordsOfCode } from '../../lib/auth-refusals.js';

/** The reasons for a return to a page of the account. */
interface Purpose {
  email?: 'confirmado';
  ligada?: string;
}

/** The address of this very page, for a mail's link or a provider to lead back to. */
export const returnTo = (purpose: Purpose): string =>
  `${location.origin}${location.pathname}?${new URLSearchParams({ ...purpose }).toString()}`;

const SAID = ['email', 'ligada', 'message', 'error', 'error_code', 'error_description', 'code', 'sb'];

/** Shows the outcome once after a return from a mail's link or a provider, and removes it from the address. */
export function useReturn(): void {
  const [search, setSearch] = useSearchParams();

  useEffect(() => {
    if (!SAID.some((name) => search.has(name))) return;
    const refusal = search.get('error_code');
    const provider = providerNames[search.get('ligada') ?? ''];
    if (refusal !== null) toast.error(wordsOfCode(refusal) ?? 'Não foi possível concluir. Tente de novo.');
    else if (search.has('message'))
      toast.info('Primeiro e-mail confirmado', { description: 'Agora confirme também no outro.' });
    else if (search.has('email')) toast.success('E-mail confirmado');
    else if (provider) toast.success(`Conta do ${provider} conectada`);
    setSearch(
      (current) => {
        for (const name of SAID) current.delete(name);
        return current;
      },
      { replace: true },
    );
  }, [search, setSearch]);
}
