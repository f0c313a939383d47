// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";
import {ERC20} from "solady/src/tokens/ERC20.sol";

/// @title Token of one agent
/// @notice ERC-20 with ERC-2612 permit and a fixed supply. The launchpad mints everything to itself at the launch.
/// @dev Each token is a minimal clone (EIP-1167). Agent id, name and symbol are appended to the clone's code, because
/// storing them would cost more. The launchpad needs no allowance: its code moves only the tokens of its own caller.
contract AgentToken is ERC20 {
    /// @notice A thousand million tokens of 18 decimals.
    uint256 public constant SUPPLY = 1_000_000_000 ether;
    /// @dev Layout of the appended bytes: agent id (8), length of the name (1), name, symbol.
    uint256 private constant NAME_LENGTH_AT = 8;
    uint256 private constant NAME_AT = 9;

    address public immutable launchpad;

    error OnlyLaunchpad(address caller);

    /// @dev The launchpad deploys the implementation, so every clone has this launchpad.
    constructor() {
        launchpad = msg.sender;
    }

    /// @notice Mints the supply to the launchpad. Callable by the launchpad, which does so once.
    function mintSupply() external {
        require(msg.sender == launchpad, OnlyLaunchpad(msg.sender));
        _mint(msg.sender, SUPPLY);
    }

    function name() public view override returns (string memory) {
        bytes memory args = Clones.fetchCloneArgs(address(this));
        return string(Bytes.slice(args, NAME_AT, NAME_AT + uint8(args[NAME_LENGTH_AT])));
    }

    function symbol() public view override returns (string memory) {
        bytes memory args = Clones.fetchCloneArgs(address(this));
        return string(Bytes.slice(args, NAME_AT + uint8(args[NAME_LENGTH_AT])));
    }

    /// @notice Number of the agent in the launchpad's identity registry (ERC-8004).
    function agentId() external view returns (uint256) {
        return uint64(bytes8(bytes32(Clones.fetchCloneArgs(address(this)))));
    }

    function allowance(address owner, address spender) public view override returns (uint256) {
        return spender == launchpad ? type(uint256).max : super.allowance(owner, spender);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != launchpad) return super.transferFrom(from, to, amount);
        _transfer(from, to, amount);
        return true;
    }

    /// @dev No other contract has an allowance that its owner did not give.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
