import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

export const CSV_MEDIA = 'text/csv';

/** A CSV download, streamed while it is written. */
export const csvFile = (name: string, content: AsyncIterable<string> | Iterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(content, { objectMode: false }), {
    type: `${CSV_MEDIA}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
