import { Get, Header, Post } from '@nestjs/common';
import * as z from 'zod/mini';
import { Config } from '../../../platform/config/env.js';
import { Route } from '../../../platform/http/route.js';
import { SigningKeys } from '../sessions/signing-keys.service.js';
import { AuthController } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { Providers } from './providers.service.js';
import { authHealth, authSettings, jwks } from './auth.schemas.js';

/** Settings and health of the auth service. */
@AuthController()
export class ServiceController {
  constructor(
    private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly providers: Providers,
  ) {}

  @Get('.well-known/jwks.json')
  @Header('Cache-Control', 'public, max-age=600')
  @Route({ summary: 'Mostra as chaves públicas dos tokens de acesso', public: true, answer: jwks })
  jwks() {
    return { keys: this.keys.publicJwks };
  }

  @Get('settings')
  @Route({ summary: 'Mostra as formas de entrar ativas', public: true, answer: authSettings })
  settings() {
    return {
      external: {
        anonymous_users: false,
        apple: this.providers.isConfigured('apple'),
        email: true,
        google: this.providers.isConfigured('google'),
        phone: false,
      },
      disable_signup: false,
      mailer_autoconfirm: this.config.mailerAutoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    };
  }

  @Get('health')
  @Route({ summary: 'Diz se o serviço de contas está no ar', public: true, answer: authHealth })
  health() {
    return { version: '1', name: 'Rende', description: 'Contas e sessões' };
  }

  @Post('sso')
  @Route({ summary: 'Login por SAML (não disponível)', public: true, body: z.looseObject({}) })
  sso() {
    throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  }
}
