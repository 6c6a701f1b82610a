import { StreamableFile } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import { Problem } from '../../platform/http/problem.js';
import type { CommandContext } from '../../platform/http/context.js';
import type { SignedCopies } from './signed-copies.service.js';
import { NoteDownload } from './signing.commands.js';

/**
 * Answers with the PDF of a signature and records the download. @throws Problem 404 for another student's, 409 where it is not
 * signed or the PDF is not ready
 */
export async function pdfOf(
  commands: CommandBus,
  copies: SignedCopies,
  context: CommandContext,
  id: string,
): Promise<StreamableFile> {
  await commands.execute(new NoteDownload(context, id, context.role));
  const file = await copies.open(context.tenantId, id);
  if (!file) throw new Problem('contracts.copy_not_ready');
  return new StreamableFile(file, {
    type: 'application/pdf',
    disposition: `attachment; filename="contrato-${id.slice(0, 8)}.pdf"`,
    length: file.length,
  });
}
