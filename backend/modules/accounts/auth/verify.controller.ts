import { Body, Get, Header, Post, Query } from '@nestjs/common';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { html } from '../../../platform/http/html.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import {
  type VerifyBody,
  verifyBody,
  type VerifyQuery,
  verifyQuery,
  verifyResponse,
} from './auth.schemas.js';
import { isPkceLink, kindsOf, type MailToken, MailTokens } from './mail-tokens.service.js';
import { MailedCodes } from './mailed-codes.service.js';
import { Redirects } from './redirects.js';
import { logRefusal } from './refusal-log.js';
import { Verifications } from './verify.service.js';

const HALF_DONE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';
const BY_ADDRESS = { name: 'verify', points: 300, seconds: 600 };

/** Verifies the links and codes of mails. */
@AuthController()
export class VerifyController {
  private readonly policy: string;

  constructor(
    private readonly tokens: MailTokens,
    private readonly verifications: Verifications,
    private readonly codes: MailedCodes,
    private readonly redirects: Redirects,
    private readonly devices: Devices,
  ) {
    // Browsers apply the policy to where the form is redirected, too.
    this.policy = `default-src 'none'; style-src 'unsafe-inline'; form-action ${redirects.origins}; base-uri 'none'; frame-ancestors 'none'`;
  }

  @Post('verify')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Troca o código ou o link de um e-mail por uma sessão',
    public: true,
    query: verifyQuery,
    body: verifyBody,
    answer: verifyResponse,
  })
  async verify(@Body() body: VerifyBody, @From() caller: Caller) {
    const device = this.devices.of(caller);
    const token = await this.find(body, caller);
    const by = body.token && !isLinkToken(body.token) ? 'digits' : 'hash';
    const verified = await this.verifications.redeem(token, { device, requestId: caller.request.id, by });
    return verified.kind === 'session' ? verified.tokens : { msg: HALF_DONE, code: '200' };
  }

  @Get('verify')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Mostra a página do link de um e-mail, cujo botão o usa',
    public: true,
    query: verifyQuery,
    media: 'text/html',
  })
  show(@Query() { token = '', type = '', redirect_to }: VerifyQuery, @From() { reply }: Caller): string {
    void reply.header('Content-Security-Policy', this.policy);
    return verifyPage({ token, type, redirect_to });
  }

  @Post('verify/link')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Confere o link de um e-mail e redireciona para a página pedida',
    public: true,
    takes: ['application/x-www-form-urlencoded'],
    body: verifyQuery,
    status: 303,
  })
  async open(
    @Body() { token = '', type = '', redirect_to }: VerifyQuery,
    @From() caller: Caller,
  ): Promise<void> {
    void caller.reply.header('Location', await this.destination(token, type, redirect_to, caller));
  }

  private async destination(
    token: string,
    type: string,
    redirect_to: string | undefined,
    caller: Caller,
  ): Promise<string> {
    const to = this.redirects.allowed(redirect_to);
    const isPkce = isPkceLink(token);
    try {
      const verified = await this.verifications.redeem(await this.tokens.byLink(type, token), {
        device: this.devices.of(caller),
        requestId: caller.request.id,
        by: 'link',
      });
      if (verified.kind === 'code') {
        // The change of the address is complete.
        return this.redirects.withCode(
          to,
          verified.code,
          type === 'email_change' ? undefined : { token, type },
        );
      }
      if (verified.kind === 'half') return this.redirects.withMessage(to, HALF_DONE, isPkce);
      return this.redirects.withTokens(to, type, verified.tokens);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      logRefusal(error, caller.request);
      return this.redirects.withError(to, error, isPkce);
    }
  }

  private find(
    { type, email, phone, token, token_hash: link }: VerifyBody,
    caller: Caller,
  ): Promise<MailToken> {
    if (!token === !link) {
      throw new AuthError(400, 'validation_failed', 'Verify requires either a token or a token hash');
    }
    if (link) {
      if (email !== undefined || phone !== undefined) {
        throw new AuthError(400, 'validation_failed', 'Only the token_hash and type should be provided');
      }
      return this.tokens.byLink(type, link);
    }
    if (phone !== undefined) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
    if (email === undefined) {
      throw new AuthError(
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on verify',
      );
    }
    // If a link is opened in another browser than the requesting one, our page asks for the e-mail address and sends it with
    // the link's token, which shows that the link is not somebody else's.
    if (isLinkToken(token!)) return this.tokens.byLink(type, token!, email);
    return this.codes.find(kindsOf(type), email, token!, caller);
  }
}

/** Tokens of links are longer than codes. */
const isLinkToken = (text: string): boolean => text.length > 6;

/** What the button of each kind of link says. */
const buttons = new Map([
  ['signup', 'Confirmar minha conta'],
  ['recovery', 'Criar nova senha'],
  ['email_change', 'Confirmar o e-mail'],
]);

/**
 * The page of a mail's link. Programs that check mails open all links, and would use this one up: only its button does, by POST.
 */
function verifyPage(fields: { token: string; type: string; redirect_to: string | undefined }): string {
  const inputs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
  const style = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;
background:light-dark(#f4f5fa,#0f1117);color:light-dark(#16181f,#eceef5);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:420px;padding:32px 24px;text-align:center}
h1{margin:0 0 8px;font-size:24px}p{margin:0 0 24px;color:light-dark(#5a6072,#a5abbd)}
button{width:100%;min-height:52px;border:0;border-radius:14px;background:#4f5dff;color:#fff;font:600 17px system-ui,sans-serif;cursor:pointer}
button:focus-visible{outline:3px solid light-dark(#16181f,#fff);outline-offset:3px}`;
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>Rende</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>Falta só um toque</h1>
          <p>Toque no botão para continuar no Rende.</p>
          <form method="post" action="/auth/v1/verify/link">
            ${inputs}<button>${buttons.get(fields.type) ?? 'Entrar no Rende'}</button>
          </form>
        </main>
      </body>
    </html> `.text;
}
