import { useEffect, useState } from 'react';
import classes from './shared-link.module.css';

interface QrCodeProps {
  text: string;
  /** Purpose of the address, for screen readers. */
  label: string;
}

/** A QR Code. Its library is loaded on demand. */
export default function QrCode({ text, label }: QrCodeProps) {
  const [drawn, setDrawn] = useState<{ text: string; image: string } | null>(null);
  useEffect(() => {
    let isGone = false;
    void import('qrcode')
      .then(({ toDataURL }) => toDataURL(text, { margin: 2, width: 480 }))
      .then((image) => {
        if (!isGone) setDrawn({ text, image });
      });
    return () => {
      isGone = true;
    };
  }, [text]);
  return drawn?.text === text ? (
    <img className={classes.code} src={drawn.image} alt={`QR Code: ${label}`} width={240} height={240} />
  ) : (
    <div className={classes.code} aria-busy />
  );
}
