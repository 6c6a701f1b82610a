import { setImmediate as nextTurn } from 'node:timers/promises';
import type PDFKit from 'pdfkit';
import QRCode from 'qrcode';
import { readFonts, useScripts } from './script-fonts.js';
import { printable, withoutEmojis } from './scripts.js';
import { SIGNATURE_BYTES, SIGNED_RANGE } from './sealed-pdf.js';

const INK = '#16181f';
const DIM = '#5c6170';
const LINE = '#d8dbe6';
const ALARM = '#b3261e';
const MARGIN = 56;
/** Space between the text and the lower edge, for the footer. */
const FOOT = 64;
const SIZE = 10.5;
/** Style of `facts`. */
const LABEL_WIDTH = 150;
const TABLE_SIZE = 9.5;
const HEADING_SIZES = { 1: 20, 2: 14, 3: 11.5 } as const;

export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
}

export interface ParagraphStyle {
  size?: number;
  bold?: boolean;
  dim?: boolean;
  align?: 'left' | 'center' | 'right';
  /** Points from the left margin. */
  indent?: number;
  /** Stands before the indented text, such as `•` or `1.`. */
  marker?: string;
  /** Points below it. */
  gap?: number;
}

export interface Column {
  label: string;
  /** Width in proportion to the other columns. */
  width: number;
  align?: 'left' | 'right';
}

/** Above and below the text of a row. */
const padOf = (size: number) => Math.round(size * 0.4);

interface RowStyle {
  size: number;
  bold?: boolean;
}

/** Text that flows from page to page. */
export class PdfSheet {
  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly printed: (text: string) => string,
  ) {}

  private get left(): number {
    return this.doc.page.margins.left;
  }

  private get width(): number {
    return this.doc.page.width - this.left - this.doc.page.margins.right;
  }

  private get bottom(): number {
    return this.doc.page.height - this.doc.page.margins.bottom;
  }

  heading(text: string, level: keyof typeof HEADING_SIZES = 1): void {
    const size = HEADING_SIZES[level];
    // Keeps a heading on the page of the text that follows it.
    this.keepTogether(size * 1.4 + SIZE * 3);
    if (level > 1) this.doc.moveDown(0.4);
    this.paragraph(text, { size, bold: true, gap: level === 1 ? 10 : 6 });
  }

  paragraph(runs: string | readonly Run[], style: ParagraphStyle = {}): void {
    const { size = SIZE, bold = false, dim = false, align = 'left', indent = 0, marker, gap = 6 } = style;
    const { doc } = this;
    const x = this.left + indent;
    const width = this.width - indent;
    doc.fillColor(dim ? DIM : INK).fontSize(size);
    if (marker !== undefined) {
      this.keepTogether(size * 1.5);
      const { y } = doc;
      doc.font('bold').text(this.printed(marker), x - 18, y, { width: 16, lineBreak: false });
      doc.y = y;
    }
    const parts = (typeof runs === 'string' ? [{ text: runs }] : runs)
      .map((run) => ({ ...run, text: this.printed(run.text) }))
      .filter(({ text }) => text !== '');
    doc.x = x;
    if (parts.length === 0) doc.moveDown(1);
    for (const [index, run] of parts.entries()) {
      doc.font(bold || ('bold' in run && run.bold) ? 'bold' : 'text');
      const options = {
        width,
        align,
        lineGap: size * 0.3,
        continued: index < parts.length - 1,
        oblique: 'italic' in run && run.italic ? 12 : false,
        underline: 'underline' in run && run.underline === true,
      };
      if (index === 0) doc.text(run.text, x, doc.y, options);
      else doc.text(run.text, options);
    }
    doc.x = this.left;
    doc.y += gap;
  }

  /** Names with their values, one below the other. */
  facts(
    pairs: readonly (readonly [label: string, value: string])[],
    { size = SIZE, gap = 4 }: Pick<ParagraphStyle, 'size' | 'gap'> = {},
  ): void {
    const { doc } = this;
    const valueWidth = this.width - LABEL_WIDTH;
    const options = { lineGap: size * 0.2 };
    for (const [label, value] of pairs.map(
      ([label, value]) => [this.printed(label), this.printed(value)] as const,
    )) {
      doc.fontSize(size).font('bold');
      const height = Math.max(
        doc.heightOfString(value || ' ', { width: valueWidth, ...options }),
        doc.heightOfString(label, { width: LABEL_WIDTH - 8, ...options }),
      );
      this.keepTogether(height);
      const { y } = doc;
      doc.font('text').fillColor(DIM);
      doc.text(label, this.left, y, { width: LABEL_WIDTH - 8, ...options });
      doc.font('bold').fillColor(INK);
      doc.text(value, this.left + LABEL_WIDTH, y, { width: valueWidth, ...options });
      doc.x = this.left;
      doc.y = y + height + gap;
    }
    doc.y += 6;
  }

  /**
   * A table. Its head is repeated on each page, and `total` follows the rows. Yields to the event loop while a long one
   * is written.
   */
  async table(
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    { total, size = TABLE_SIZE }: { total?: readonly string[]; size?: number } = {},
  ): Promise<void> {
    const shares = columns.reduce((sum, { width }) => sum + width, 0);
    const widths = columns.map(({ width }) => (width / shares) * this.width);
    const labels = columns.map(({ label }) => label);
    const head = () => this.row(columns, widths, labels, { size, bold: true, dim: true });
    // Keeps the head on the page of the first row.
    const firstHeight = rows[0] ? this.rowHeight(widths, rows[0], { size }) : 0;
    this.keepTogether(this.rowHeight(widths, labels, { size, bold: true }) + firstHeight);
    head();
    for (const row of rows) {
      const height = this.rowHeight(widths, row, { size });
      if (this.doc.y + height > this.bottom) {
        this.doc.addPage();
        head();
      }
      this.row(columns, widths, row, { size, height });
      await nextTurn();
    }
    if (total) this.row(columns, widths, total, { size, bold: true });
    this.doc.y += 8;
  }

  rule(): void {
    this.line(this.doc.y);
    this.doc.y += 12;
  }

  /** Text in a frame, such as "CANCELADO". */
  alarm(title: string, text: string): void {
    const { doc } = this;
    this.keepTogether(64);
    const top = doc.y;
    doc.y = top + 10;
    doc.fillColor(ALARM).font('bold').fontSize(14);
    doc.text(this.printed(title), this.left + 14, doc.y, { width: this.width - 28 });
    doc
      .font('text')
      .fontSize(SIZE)
      .text(this.printed(text), { width: this.width - 28 });
    doc.y += 10;
    doc
      .rect(this.left, top, this.width, doc.y - top)
      .lineWidth(1.5)
      .stroke(ALARM);
    doc.x = this.left;
    doc.y += 16;
  }

  /** A QR Code of the address, with text beside it. */
  qr(address: string, beside: readonly string[], size = 96): void {
    const { doc } = this;
    this.keepTogether(size + 8);
    const top = doc.y;
    const { modules } = QRCode.create(address, { errorCorrectionLevel: 'M' });
    const side = size / modules.size;
    for (let y = 0; y < modules.size; y++) {
      // Adjacent modules are drawn as one rectangle, to avoid hairlines between them.
      for (let x = 0, from = 0; x <= modules.size; x++) {
        if (x < modules.size && modules.get(y, x)) continue;
        if (x > from) doc.rect(this.left + from * side, top + y * side, (x - from) * side, side);
        from = x + 1;
      }
    }
    doc.fill(INK);
    doc.link(this.left, top, size, size, address);
    doc.fillColor(DIM).font('text').fontSize(9.5);
    doc.y = top + 4;
    for (const text of beside) {
      doc.text(this.printed(text), this.left + size + 18, doc.y, {
        width: this.width - size - 18,
        lineGap: 2,
      });
      doc.y += 4;
    }
    doc.x = this.left;
    doc.y = Math.max(doc.y, top + size) + 8;
  }

  /** A line to sign on, with text below it. */
  signature(...below: readonly string[]): void {
    const { doc } = this;
    this.keepTogether(60 + below.length * 14);
    doc.y += 36;
    doc
      .moveTo(this.left, doc.y)
      .lineTo(this.left + 260, doc.y)
      .lineWidth(0.75)
      .stroke(INK);
    doc.y += 6;
    for (const text of below) this.paragraph(text, { size: 10, gap: 0 });
    doc.y += 8;
  }

  newPage(): void {
    this.doc.addPage();
  }

  space(points: number): void {
    this.doc.y += points;
  }

  /** Begins a new page if less than this many points are left. */
  keepTogether(points: number): void {
    if (this.doc.y + points > this.bottom && this.doc.y > this.doc.page.margins.top) this.doc.addPage();
  }

  private rowHeight(
    widths: readonly number[],
    cells: readonly string[],
    { size, bold = false }: RowStyle,
  ): number {
    this.doc.font(bold ? 'bold' : 'text').fontSize(size);
    const heights = cells.map((cell, index) =>
      this.doc.heightOfString(this.printed(cell) || ' ', { width: widths[index]! - 8 }),
    );
    return Math.max(...heights) + 2 * padOf(size);
  }

  private row(
    columns: readonly Column[],
    widths: readonly number[],
    cells: readonly string[],
    style: RowStyle & { dim?: boolean; height?: number },
  ): void {
    const { size, bold = false, dim = false, height = this.rowHeight(widths, cells, style) } = style;
    const { doc } = this;
    this.keepTogether(height);
    const { y } = doc;
    let x = this.left;
    doc
      .font(bold ? 'bold' : 'text')
      .fontSize(size)
      .fillColor(dim ? DIM : INK);
    for (const [index, cell] of cells.entries()) {
      const align = columns[index]!.align ?? 'left';
      doc.text(this.printed(cell), x, y + padOf(size), { width: widths[index]! - 8, align });
      x += widths[index]!;
    }
    doc.x = this.left;
    doc.y = y + height;
    this.line(doc.y);
  }

  private line(y: number): void {
    this.doc
      .moveTo(this.left, y)
      .lineTo(this.left + this.width, y)
      .lineWidth(0.75)
      .stroke(LINE);
  }
}

export interface PdfInfo {
  title: string;
  author: string;
  createdAt: Date;
  /** Footer of each page, beside its number. */
  footer: string;
  /** Stored unencrypted in the metadata of the file. */
  keywords?: string;
  /** Prints every character, as for what was signed; otherwise emojis are left out. */
  exact?: boolean;
  /** Leaves room for a signature, which `PdfSeals` fills in. */
  signature?: { name: string; reason: string; at: Date };
}

/** A PDF whose text can be selected; characters that the font does not have are written as their codes. */
export async function writePdf(
  info: PdfInfo,
  draw: (sheet: PdfSheet) => void | Promise<void>,
): Promise<Buffer> {
  const [PDFDocument, fonts] = await tools();
  const printed = (text: string) => printable(info.exact ? text : withoutEmojis(text));
  const doc = new PDFDocument({
    size: 'A4',
    lang: 'pt-BR',
    displayTitle: true,
    bufferPages: true,
    font: '',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: FOOT },
    info: {
      Title: printed(info.title),
      Author: printed(info.author),
      Creator: 'Rende',
      Producer: 'Rende',
      CreationDate: info.createdAt,
      ...(info.keywords && { Keywords: info.keywords }),
    },
  });
  useScripts(doc, fonts);
  doc.font('text');
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((done, failed) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('error', failed);
    doc.on('end', () => done(Buffer.concat(chunks)));
  });
  await draw(new PdfSheet(doc, printed));
  writeFooters(doc, printed(info.footer));
  if (info.signature) leaveRoom(doc, info.signature);
  doc.end();
  return written;
}

/** An invisible signature field on the first page, with room for the signature (PAdES). */
function leaveRoom(doc: PDFKit.PDFDocument, { name, reason, at }: NonNullable<PdfInfo['signature']>): void {
  doc.switchToPage(doc.bufferedPageRange().start);
  const signature = doc.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    Name: new String(name),
    Reason: new String(reason),
    M: at,
    ByteRange: SIGNED_RANGE,
    Contents: Buffer.alloc(SIGNATURE_BYTES),
  });
  signature.end('');
  const field = doc.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    Rect: [0, 0, 0, 0],
    F: 132,
    T: new String('Assinatura'),
    V: signature,
    P: doc.page.dictionary,
  });
  field.end('');
  const { page } = doc as unknown as { page: { annotations: unknown[] } };
  page.annotations.push(field);
  doc.initForm();
  const { _root: root } = doc as unknown as { _root: { data: { AcroForm: { data: object } } } };
  // Keeps readers from regenerating the form, which would invalidate the signature.
  Object.assign(root.data.AcroForm.data, { SigFlags: 3, Fields: [field], NeedAppearances: false });
}

function writeFooters(doc: PDFKit.PDFDocument, footer: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(start + page);
    // Otherwise text below the margin would begin a new page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - FOOT + 24;
    const width = doc.page.width - 2 * MARGIN;
    doc.font('text').fontSize(8.5).fillColor(DIM);
    doc.text(footer, MARGIN, y, { width: width - 90, lineBreak: false, ellipsis: true, height: 12 });
    doc.text(`Página ${page + 1} de ${count}`, MARGIN + width - 80, y, { width: 80, align: 'right' });
  }
}

let loaded: ReturnType<typeof load> | undefined;

/** Imported with the first file, because the library takes long to load. */
function tools() {
  return (loaded ??= load());
}

async function load() {
  const [library, fonts] = await Promise.all([import('pdfkit'), readFonts()]);
  return [library.default, fonts] as const;
}
