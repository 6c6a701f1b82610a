import { Authenticator, type Options } from '../support/authenticator.js';
import { browser } from './people.js';

type Client = ReturnType<typeof browser>;

/** The site of an application that is given none, as browsers name it. */
export const SITE = 'http://localhost:0';

export async function begin(client: Client) {
  const { data, error } = await client.passkey.startRegistration();
  if (error) throw error;
  return { challengeId: data.challenge_id, options: data.options as unknown as Options };
}

/** Adds a passkey of this device. */
export async function add(client: Client, device = new Authenticator(SITE)) {
  const { challengeId, options } = await begin(client);
  const { data, error } = await client.passkey.verifyRegistration({
    challengeId,
    credential: device.create(options),
  });
  if (error) throw error;
  return { device, passkey: data };
}

export async function challenge(client: Client) {
  const { data, error } = await client.passkey.startAuthentication();
  if (error) throw error;
  return { challengeId: data.challenge_id, options: data.options as unknown as Options };
}

/** Signs in on another device, with the passkey alone. */
export async function enter(url: string, device: Authenticator, client = browser(url)) {
  const { challengeId, options } = await challenge(client);
  return client.passkey.verifyAuthentication({ challengeId, credential: device.get(options) });
}
