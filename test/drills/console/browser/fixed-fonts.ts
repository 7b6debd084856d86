import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

const FONTS = path.dirname(
  createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
)

/**
 * Two fonts of a package, smoothed without regard to the display: each machine draws the same texts.
 */
const configuration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${FONTS}</dir>
  <cachedir>${path.join(folder, 'cache')}</cachedir>
  <selectfont>
    <rejectfont><glob>${FONTS}/*</glob></rejectfont>
    <acceptfont>
      <glob>${FONTS}/DejaVuSans.ttf</glob>
      <glob>${FONTS}/DejaVuSans-Bold.ttf</glob>
      <glob>${FONTS}/DejaVuSansMono.ttf</glob>
      <glob>${FONTS}/DejaVuSansMono-Bold.ttf</glob>
    </acceptfont>
  </selectfont>
  <alias binding="same">
    <family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer>
  </alias>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>DejaVu Sans</string></edit>
  </match>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`

/** Writes a configuration of fontconfig into a folder, and returns its path. */
export async function writeFontConfiguration(folder: string): Promise<string> {
  const file = path.join(folder, 'fonts.conf')
  await writeFile(file, configuration(folder))
  return file
}
