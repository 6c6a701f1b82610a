import { useEffect, useEffectEvent } from 'react';
import { toast } from '../../ui/toast.js';

/** The messages for error codes with which a provider or a mail's link returns. */
const refusals: Record<string, string> = {
  signup_disabled: 'Nenhuma conta usa esse e-mail. Crie sua conta primeiro.',
  email_exists: 'Já existe uma conta com esse e-mail. Entre com e-mail e senha.',
  user_already_exists: 'Usuário já cadastrado. Faça login.',
  otp_expired: 'Este link expirou ou já foi usado. Peça outro.',
};

/** Shows the error of the return to this page once; `onSaid` removes it from the address. */
export function useRefusal(code: string | null, onSaid: () => void): void {
  const said = useEffectEvent(onSaid);
  useEffect(() => {
    if (code === null) return;
    toast.error(refusals[code] ?? 'Não foi possível fazer login. Tente novamente.');
    said();
  }, [code]);
}
