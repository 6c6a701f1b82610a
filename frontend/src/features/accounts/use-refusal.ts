import { useEffect, useEffectEvent } from 'react';
import { toast } from '../../ui/toast.js';

/** What came back with somebody from a provider or a mail's link, by its code. */
const refusals: Record<string, string> = {
  signup_disabled: 'Nenhuma conta usa esse e-mail. Crie sua conta primeiro.',
  email_exists: 'Já existe uma conta com esse e-mail. Entre com e-mail e senha.',
  user_already_exists: 'Usuário já cadastrado. Faça login.',
  otp_expired: 'Este link expirou ou já foi usado. Peça outro.',
};

/** Says once what went wrong on the way to this page; `onSaid` takes it out of the address. */
export function useRefusal(code: string | null, onSaid: () => void): void {
  const said = useEffectEvent(onSaid);
  useEffect(() => {
    if (code === null) return;
    toast.error(refusals[code] ?? 'Não foi possível fazer login. Tente novamente.');
    said();
  }, [code]);
}
