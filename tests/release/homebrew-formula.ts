/** A Homebrew formula for a release's archives. Pure. */

interface FormulaArchive {
  /** As in names of archives. */
  readonly machine: "macos-arm64" | "macos-x64" | "linux-arm64" | "linux-x64";
  readonly file: string;
  readonly sha256: string;
}

interface Formula {
  readonly version: string;
  /** Folder that the archives are downloaded from, without a slash at its end. */
  readonly url: string;
  readonly archives: readonly FormulaArchive[];
}

const systems = { macos: "on_macos", linux: "on_linux" } as const;
const processors = { arm64: "on_arm", x64: "on_intel" } as const;

/** Archives that are missing are left out: brew then has no bottle for that machine, and says so. */
export function homebrewFormula({ version, url, archives }: Formula): string {
  const blocks = Object.entries(systems).map(([system, onSystem]) => {
    const inner = Object.entries(processors).flatMap(([processor, onProcessor]) => {
      const archive = archives.find(({ machine }) => machine === `${system}-${processor}`);
      return archive === undefined
        ? []
        : [
            `    ${onProcessor} do`,
            `      url "${url}/${archive.file}"`,
            `      sha256 "${archive.sha256}"`,
            "    end",
          ];
    });
    return [`  ${onSystem} do`, ...inner, "  end"].join("\n");
  });
  return `class Vantage < Formula
  desc "Internet measurement and BGP experiments"
  homepage "${url}"
  version "${version}"
  license "Apache-2.0"

${blocks.join("\n\n")}

  def install
    libexec.install Dir["*"]
    # The build signs for Apple silicon; on Intel, Bun's own signature is left, which fits no longer.
    system "codesign", "--force", "--sign", "-", libexec/"vantage" if OS.mac? && Hardware::CPU.intel?
    bin.install_symlink libexec/"vantage"
    man1.install_symlink Dir[libexec/"man/man1/*"]
    bash_completion.install_symlink libexec/"completions/vantage.bash" => "vantage"
    zsh_completion.install_symlink libexec/"completions/_vantage"
    fish_completion.install_symlink libexec/"completions/vantage.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/vantage --version")
  end
end
`;
}
