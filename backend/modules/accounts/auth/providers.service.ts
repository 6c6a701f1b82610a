import { importPKCS8, SignJWT } from 'jose';
import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import * as z from 'zod/mini';
import { Config } from '../../../platform/config/env.js';
import { withoutAddresses } from '../../../platform/http/addresses.api.js';
import { AuthError } from './auth-error.js';

export const PROVIDERS = ['google', 'apple'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A person as identified by a provider. */
export interface ProviderIdentity {
  provider: Provider;
  /** The provider's id of the person (`sub`). */
  subject: string;
  /** Lower case, verified by the provider. */
  email: string;
  /** The name as given by the provider, if any; not verified. */
  nome?: string;
}

/** The values of one authorization request. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  /** PKCE verifier between this server and the provider. */
  verifier: string;
}

const SCOPES: Record<Provider, string> = { google: 'openid email profile', apple: 'openid email name' };
/** Seconds. */
const PATIENCE = 5;
const APPLE_SECRET_LIFETIME = 300;

/** Google and Apple, over OpenID Connect. */
@Injectable()
export class Providers {
  readonly callback: string;
  private readonly discovered = new Map<Provider, Promise<oidc.Configuration>>();

  constructor(private readonly config: Config) {
    this.callback = `${config.siteUrl}/auth/v1/callback`;
  }

  isConfigured(provider: Provider): boolean {
    return this.config[provider] !== undefined;
  }

  /** @throws AuthError 400 `validation_failed` for a provider that is unknown or not configured */
  named(name: string): Provider {
    const provider = PROVIDERS.find((each) => each === name);
    if (!provider) {
      throw new AuthError(
        400,
        'validation_failed',
        `Unsupported provider: Provider ${name} could not be found`,
      );
    }
    if (!this.isConfigured(provider)) {
      throw new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
    }
    return provider;
  }

  /** The provider's sign-in address. `hints` are additional parameters from the client, such as `prompt`. */
  async address(
    provider: Provider,
    { state, nonce, verifier }: FlowSecrets,
    hints: Record<string, string>,
  ): Promise<string> {
    const configuration = await this.configuration(provider);
    const url = oidc.buildAuthorizationUrl(configuration, {
      ...hints,
      redirect_uri: this.callback,
      scope: SCOPES[provider],
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Apple sends the e-mail address only in this response mode.
      ...(provider === 'apple' && { response_mode: 'form_post' }),
    });
    return url.href;
  }

  /**
   * The person of a callback. Signature, issuer, audience, times, nonce, state and PKCE are checked by the library.
   * @throws AuthError 400 `bad_oauth_callback` for an invalid response; 422 `provider_email_needs_verification`
   */
  async identify(
    provider: Provider,
    answer: Record<string, string>,
    { state, nonce, verifier }: FlowSecrets,
  ): Promise<ProviderIdentity> {
    const configuration = await this.configuration(provider);
    const url = new URL(this.callback);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const identity = identityOf(provider, tokens.claims()!);
      return provider === 'apple' ? { ...identity, ...appleName(answer.user) } : identity;
    } catch (error) {
      if (error instanceof AuthError) throw error;
      throw new AuthError(400, 'bad_oauth_callback', 'Unable to exchange external code', { cause: error });
    }
  }

  /** @throws AuthError 500 if the provider cannot be reached */
  async configuration(provider: Provider): Promise<oidc.Configuration> {
    let discovered = this.discovered.get(provider);
    if (!discovered) {
      discovered = this.discover(provider);
      this.discovered.set(provider, discovered);
      discovered.catch(() => this.discovered.delete(provider));
    }
    try {
      return await discovered;
    } catch (error) {
      throw new AuthError(500, 'unexpected_failure', `${provider} is out of reach`, { cause: error });
    }
  }

  private async discover(provider: Provider): Promise<oidc.Configuration> {
    const { issuer, clientId } = this.config[provider]!;
    // Plain http is for a provider on this machine; the configuration refuses it elsewhere.
    const execute = [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ];
    return oidc.discovery(new URL(issuer), clientId, undefined, this.authentication(provider), {
      execute,
      timeout: PATIENCE,
    });
  }

  private authentication(provider: Provider): oidc.ClientAuth {
    const { google, apple } = this.config;
    if (provider === 'google') return oidc.ClientSecretPost(google!.clientSecret);
    const { issuer, clientId, teamId, keyId, privateKey } = apple!;
    // Apple's secret is a token that the developer signs.
    // The library waits for it, though its types do not say so.
    const authenticate: (server: unknown, client: unknown, body: URLSearchParams) => unknown = async (
      _server,
      _client,
      body,
    ) => {
      const now = Math.floor(Date.now() / 1000);
      const secret = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: keyId })
        .setIssuer(teamId)
        .setSubject(clientId)
        .setAudience(issuer)
        .setIssuedAt(now)
        .setExpirationTime(now + APPLE_SECRET_LIFETIME)
        .sign(await importPKCS8(privateKey, 'ES256'));
      body.set('client_id', clientId);
      body.set('client_secret', secret);
    };
    return authenticate;
  }
}

/**
 * The person of an ID token. Apple writes booleans as texts.
 * @throws AuthError 422 `provider_email_needs_verification`
 */
export function identityOf(provider: Provider, claims: Record<string, unknown>): ProviderIdentity {
  const { sub, email, email_verified, name } = claims;
  if (typeof email !== 'string' || (email_verified !== true && email_verified !== 'true')) {
    throw new AuthError(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
    );
  }
  return {
    provider,
    subject: String(sub),
    email: email.toLowerCase(),
    ...(typeof name === 'string' && { nome: writtenBy(name) }),
  };
}

/** A name that a provider sends, as it was typed there. */
function writtenBy(name: string): string {
  return withoutAddresses(name.replace(/[\s\p{Cc}]+/gu, ' ').trim());
}

const appleUser = z.object({
  name: z.object({ firstName: z.optional(z.string()), lastName: z.optional(z.string()) }),
});

/** Apple sends the name as JSON beside the ID token, and only with the first sign-in of a person. */
function appleName(user = ''): { nome?: string } {
  try {
    const { firstName = '', lastName = '' } = appleUser.parse(JSON.parse(user)).name;
    return { nome: writtenBy(`${firstName} ${lastName}`) };
  } catch {
    return {};
  }
}
