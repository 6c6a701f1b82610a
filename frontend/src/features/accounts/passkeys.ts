import type { PasskeyMetadata } from '@supabase/auth-js';
import { auth, replacingTokens } from '../../lib/auth.js';
import { askAuth } from '../../lib/auth-http.js';
import { answered } from '../../lib/auth-refusals.js';
import { codeOf, DeviceError, messageOf, ProblemError } from '../../lib/problem.js';
import { toast } from '../../ui/toast.js';

interface Begun {
  challenge_id: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

const KNOWN_DEVICE = 'Este aparelho já tem uma chave de acesso da sua conta.';
const NO_PASSKEYS = 'Este navegador não aceita chaves de acesso. Use e-mail e senha, ou outro navegador.';
const LATE = 'O pedido expirou. Tente de novo.';

/** Messages for error codes of the service. */
const refusals: Readonly<Record<string, string>> = {
  too_many_passkeys: 'Você já tem 10 chaves de acesso. Remova uma para adicionar outra.',
  webauthn_credential_exists: KNOWN_DEVICE,
  webauthn_credential_not_found: 'Esta chave de acesso não é mais da sua conta. Entre com e-mail e senha.',
  webauthn_verification_failed: 'Não foi possível conferir a chave de acesso. Tente de novo.',
  webauthn_challenge_expired: LATE,
  webauthn_challenge_not_found: LATE,
};

/** The result of a request about passkeys. @throws ProblemError with these messages, NetworkError */
async function told<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    const title = refusals[codeOf(error) ?? ''];
    throw error instanceof ProblemError && title
      ? new ProblemError(error.status, { code: error.code, title }, null)
      : error;
  }
}

/** What a browser says where the person closes its window, or another request takes its place. */
const GIVEN_UP = new Set(['NotAllowedError', 'AbortError']);

let asking = new AbortController();

/** Browsers answer one request at a time: a new one takes the place of that which waits in the e-mail field. */
function inPlaceOfOthers(): AbortSignal {
  asking.abort();
  asking = new AbortController();
  return asking.signal;
}

/** What the device answers, for the server; null where the person gives up. */
async function answerOf<Json>(asked: Promise<Credential | null>): Promise<Json | null> {
  try {
    return (await (asked as Promise<PublicKeyCredential>)).toJSON() as Json;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (GIVEN_UP.has(error.name)) return null;
    // Such as those that open links within other apps.
    if (error.name === 'NotSupportedError') throw new DeviceError(NO_PASSKEYS);
    if (error.name !== 'InvalidStateError') throw error;
    throw new ProblemError(422, { code: 'webauthn_credential_exists', title: KNOWN_DEVICE }, null);
  }
}

/** Lets a passkey sign the challenge. */
const signedBy = (
  { options }: Pick<Begun, 'options'>,
  request: Omit<CredentialRequestOptions, 'publicKey'>,
): Promise<AuthenticationResponseJSON | null> =>
  answerOf(
    navigator.credentials.get({
      ...request,
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
  );

/** Makes a passkey on a device that the browser lets the person choose; null where the person gives up. */
export async function addPasskey(): Promise<PasskeyMetadata | null> {
  const { passkey } = await auth();
  const { challenge_id, options } = await told(answered(passkey.startRegistration()));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const asked = navigator.credentials.create({ publicKey, signal: inPlaceOfOthers() });
  const credential = await answerOf<RegistrationResponseJSON>(asked);
  return (
    credential &&
    told(answered(passkey.verifyRegistration({ challengeId: challenge_id, credential: credential as never })))
  );
}

/** False where the person gives up. */
async function enter(request: Omit<CredentialRequestOptions, 'publicKey'>): Promise<boolean> {
  const client = await auth();
  const { challenge_id, options } = await answered(client.passkey.startAuthentication());
  const credential = await signedBy({ options: options as Begun['options'] }, request);
  if (!credential) return false;
  await answered(
    client.passkey.verifyAuthentication({ challengeId: challenge_id, credential: credential as never }),
  );
  toast.success('Login realizado com sucesso!');
  return true;
}

/** Signs in with a passkey that the browser lets the person choose. */
export const signInWithPasskey = (): Promise<boolean> => enter({ signal: inPlaceOfOthers() });

/** Passkeys among what the browser suggests in the e-mail field. Returns what ends that. */
export function suggestPasskeys(): () => void {
  const signal = inPlaceOfOthers();
  void suggest(signal);
  return () => {
    if (signal === asking.signal) asking.abort();
  };
}

async function suggest(signal: AbortSignal): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  try {
    await enter({ mediation: 'conditional', signal });
  } catch (error) {
    // Nobody has asked for anything yet.
    if (codeOf(error) === undefined) return;
    toast.error('Erro ao fazer login. Tente novamente.', { description: messageOf(error) });
  }
}

/** For a passkey in place of the second factor. @throws ProblemError 404 for a person without any */
export const beginProof = (): Promise<Begun> => askAuth('POST', 'passkeys/proof/options', {});

/** Raises the session to aal2. False where the person gives up. */
export async function proveWithPasskey(): Promise<boolean> {
  const { challenge_id, options } = await beginProof();
  const credential = await signedBy({ options }, { signal: inPlaceOfOthers() });
  if (!credential) return false;
  const client = await auth();
  await replacingTokens(async () => {
    const tokens = await told(
      askAuth<{ access_token: string; refresh_token: string }>('POST', 'passkeys/proof/verify', {
        challenge_id,
        credential,
      }),
    );
    await answered(client.setSession(tokens));
  });
  return true;
}
