//! Tells Zed how to start the language server, and hands on what its settings say under `lsp.kube-crd.settings`.
use zed_extension_api::{self as zed, serde_json::Value, settings::LspSettings, LanguageServerId, Result};

struct KubeCrd;

impl zed::Extension for KubeCrd {
    fn new() -> Self {
        KubeCrd
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &zed::Worktree) -> Result<zed::Command> {
        let command = worktree
            .which("kube-crd")
            .ok_or("kube-crd is not in PATH: npm install --global kube-crd")?;
        Ok(zed::Command {
            command,
            args: vec!["server".into(), "--stdio".into()],
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

zed::register_extension!(KubeCrd);
