import { Button, FileButton } from '@mantine/core';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import type { Verification } from '../../../../backend/modules/contracts/contracts.api.js';
import { http } from '../../lib/http.js';
import { ProblemError } from '../../lib/problem.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { attempt } from '../../ui/toast.js';
import classes from './contracts.module.css';

/**
 * Result of the check: `altered` if the file names a signature but its bytes differ from the signed copy; `receipt` if it
 * names a receipt, whose bytes are not stored, so that only its data can be compared.
 */
type Outcome =
  | { is: 'known'; verification: Verification }
  | { is: 'receipt'; code: string }
  | { is: 'altered' | 'unknown' };

/** The code in the keywords of a PDF, which are not compressed; a receipt's begins with "R-". */
const CODE = /Rende ((R-)?(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4})/;

/** Many times as large as the PDF of the longest contract. */
const LARGEST_COPY = 10_000_000;

/** Null where the server does not know it. */
async function known(path: string): Promise<Verification | null> {
  try {
    return await http.get<Verification>(path);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null;
    throw error;
  }
}

/** Sends only the file's SHA-256 and its code. */
async function outcomeOf(file: File): Promise<Outcome> {
  // A device may not have the memory for it.
  if (file.size > LARGEST_COPY) return { is: 'unknown' };
  const bytes = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const verification = await known(`/contract-files/${hex}`);
  if (verification) return { is: 'known', verification };
  const [, code, ofReceipt] = CODE.exec(new TextDecoder('latin1').decode(bytes)) ?? [];
  if (code && ofReceipt) return { is: 'receipt', code };
  return { is: code && (await known(`/contract-codes/${code}`)) ? 'altered' : 'unknown' };
}

interface VerifyFileProps {
  children: (verification: Verification) => ReactNode;
  /** Shows the receipt with this code. */
  receipt: (code: string) => ReactNode;
}

/** Checks whether a PDF is a signed copy, byte for byte, or which receipt it is. The file stays on the device. */
export function VerifyFile({ children, receipt }: VerifyFileProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isOver, setOver] = useState(false);
  const latest = useRef<File | null>(null);
  const verify = (file: File | null | undefined) => {
    setOutcome(null);
    latest.current = file ?? null;
    if (!file) return;
    void attempt(async () => {
      const found = await outcomeOf(file);
      // Another file was chosen meanwhile.
      if (latest.current === file) setOutcome(found);
    }, 'Não foi possível verificar o arquivo');
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <>
      <Card>
        <div
          className={classes.drop}
          data-over={isOver || undefined}
          onDragOver={drag(true)}
          onDragLeave={drag(false)}
          onDrop={(event) => {
            drag(false)(event);
            verify(event.dataTransfer.files[0]);
          }}
        >
          <p className={classes.note}>
            Ou solte aqui o PDF do contrato assinado ou do recibo. Ele é conferido neste aparelho e não é
            enviado.
          </p>
          <FileButton onChange={verify} accept="application/pdf">
            {(props) => (
              <Button variant="default" {...props}>
                Escolher PDF
              </Button>
            )}
          </FileButton>
        </div>
      </Card>
      <div role="status">
        {outcome?.is === 'known' && children(outcome.verification)}
        {outcome?.is === 'receipt' && receipt(outcome.code)}
        {outcome?.is === 'altered' && (
          <Notice icon="alert" title="Arquivo alterado">
            O código é de um contrato assinado, mas este arquivo não é igual ao original.
          </Notice>
        )}
        {outcome?.is === 'unknown' && (
          <Notice icon="search" title="Arquivo desconhecido">
            Este arquivo não é a cópia de nenhum contrato assinado nem um recibo emitido aqui.
          </Notice>
        )}
      </div>
    </>
  );
}
