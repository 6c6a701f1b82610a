import { Controller, Get, Header, Param, Req, Module } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { idParams } from '../http/common.api.js';
import { Problem } from '../http/problem.js';
import { Route } from '../http/route.js';
import { FolderPost, type KeptMail } from './folder-post.js';
import { escapeHtml } from './letter.js';

const HTML = 'text/html; charset=utf-8';
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Shows the mails in the folder: only outside production and only on loopback, because they contain sign-in links. */
@Controller('dev/mail')
export class DevMailController {
  constructor(private readonly folder: FolderPost) {}

  @Get()
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', POLICY)
  @Route({
    summary: 'Lista os e-mails gravados na pasta, fora de produção',
    public: true,
    media: 'text/html',
  })
  async list(@Req() request: FastifyRequest): Promise<string> {
    refuseOthers(request);
    return listPage(await this.folder.list());
  }

  @Get(':id')
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', POLICY)
  @Route({
    summary: 'Mostra um e-mail gravado na pasta',
    public: true,
    params: idParams,
    media: 'text/html',
  })
  async show(@Param('id') id: string, @Req() request: FastifyRequest): Promise<string> {
    refuseOthers(request);
    const html = await this.folder.html(id);
    if (html === undefined) throw new Problem('not_found');
    return html;
  }
}

/** A forwarded address does not count: the connection itself must come from loopback. */
function refuseOthers({ socket: { remoteAddress = '' } }: FastifyRequest): void {
  if (!/^(::1|(::ffff:)?127\.[\d.]+)$/.test(remoteAddress)) throw new Problem('not_found');
}

function listPage(mails: readonly KeptMail[]): string {
  const rows = mails.map(
    ({ id, at, to, subject }) =>
      `<li><a href="/dev/mail/${id}">${escapeHtml(subject)}</a><br><small>${escapeHtml(to)} · ${at.toLocaleString('pt-BR')}</small></li>`,
  );
  return `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>E-mails · Rende</title>
<style>body{font:16px/1.5 system-ui;max-width:640px;margin:32px auto;padding:0 16px}li{margin:0 0 16px}small{color:#6b7080}</style></head>
<body><h1>E-mails</h1>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>Nenhum e-mail ainda.</p>'}</body>
</html>
`;
}

/** Part of the api role outside production, where mails go to a folder. */
@Module({ controllers: [DevMailController], providers: [FolderPost] })
export class DevMailModule {}
