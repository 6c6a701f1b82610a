import { useState } from 'react';
import { Notice } from '../../ui/notice.js';
import { Sheet } from '../../ui/sheet.js';
import { MailedCode } from './mailed-code.js';

interface ToSignProps {
  id: string;
  titulo: string;
  /** The masked address to which the code is mailed; null where none is recorded. */
  para: string | null;
  opened: boolean;
  onClose: () => void;
}

/** The link of the area may have been forwarded: a mailed code opens the signing page. */
export default function ToSign({ titulo, opened, onClose, ...request }: ToSignProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title={titulo} withoutAddress>
      {opened && <Code {...request} />}
    </Sheet>
  );
}

function Code({ id, para }: Pick<ToSignProps, 'id' | 'para'>) {
  const [enviado, setSent] = useState(false);
  if (para === null)
    return (
      <Notice icon="shield" title="Peça o link para assinar">
        Não há e-mail no seu cadastro: seu personal manda pelo WhatsApp o link para ler e assinar.
      </Notice>
    );
  return (
    <MailedCode
      reader={{ as: 'student', id }}
      state={{ para, enviado, confirmado: false }}
      onSent={() => setSent(true)}
      onConfirmed={(_code, link) => link !== null && location.assign(link)}
    />
  );
}
